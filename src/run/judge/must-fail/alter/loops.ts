/** Words of what an honest fix may leave none of: a loop over them then runs no longer. */
export const ABSENCE =
  /warn|err|issue|problem|diagnos|violat|lint|fail|miss|conflict|leak|diff|chang|invalid|bad|stale|unused|duplic|orphan|remain|left|pending|extra|unexpect|alert|reject|skip|deprecat|ignor|remov|delet|clear|empty|none|without|(?:^|_)(?:no|not|never)(?:_|$)/i;
