/** What the demo agent does in a phase: shell blocks under headings of the plan. */
export interface DemoPlan {
  /** `## Attempt 1`, `## Attempt 2`, …: what the builder does, at first and after each refusal. */
  readonly attempts: readonly string[];
  /** `## Check`: what the adversary runs on the claimed commit. Null: it agrees with everything. */
  readonly check: string | null;
}

/** The first `sh` block under each heading. */
export function readPlan(text: string): DemoPlan {
  const blocks = new Map<string, string>();
  for (const section of text.split(/^## /m).slice(1)) {
    const heading = section.slice(0, section.indexOf('\n')).trim();
    const block = /^```sh\n([\s\S]*?)^```$/m.exec(section)?.[1];
    if (block !== undefined) blocks.set(heading, block);
  }
  const attempts: string[] = [];
  for (let n = 1; blocks.has(`Attempt ${n}`); n += 1) attempts.push(blocks.get(`Attempt ${n}`) ?? '');
  return { attempts, check: blocks.get('Check') ?? null };
}

const linesWith = (text: string, pattern: RegExp): number =>
  text.split('\n').filter((line) => pattern.test(line)).length;

/** Which attempt the builder is at, from the files alone, so that a crash loses nothing. Null: it waits for an answer. */
export function nextAttempt(status: string, inbox: string): number | null {
  const claims = linesWith(status, /^CLAIM /);
  const refusals = linesWith(inbox, /^(FAIL|REFUSED) /);
  return claims > refusals ? null : refusals + 1;
}

/** The claim that still has no verdict. */
export function openClaim(inbox: string, review: string): string | null {
  const claim = [...inbox.matchAll(/^CLAIM ([0-9a-f]+)$/gm)].at(-1)?.[1];
  return claim === undefined || new RegExp(`^VERDICT (PASS|FAIL) ${claim}$`, 'm').test(review) ? null : claim;
}
