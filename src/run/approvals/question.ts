import type { PermissionRequest } from '../../engines/permission-request.ts';

/** What needs an approval: an action that a task names, or a tool call of an agent. */
export type ApprovalQuestion =
  | { readonly from: 'task'; readonly action: string }
  | ({ readonly from: 'agent' } & PermissionRequest);

/** The question in one line. */
export function questionText(question: ApprovalQuestion): string {
  if (question.from === 'task') return question.action;
  const { action, command, paths, title } = question;
  return `${action} ${command ?? (paths.length > 0 ? paths.join(', ') : title)}`.trim();
}
