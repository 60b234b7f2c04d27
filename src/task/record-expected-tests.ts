/**
 * Puts the test ids into the text of a task.toml, leaving its author's comments and order alone: replaces `expected_tests` where it
 * stands, or adds it to the `[seatrial]` table.
 */
export function recordExpectedTests(text: string, ids: readonly string[]): string {
  const entry = `expected_tests = [\n${ids.map((id) => `  ${JSON.stringify(id)},\n`).join('')}]`;
  const present = /^[ \t]*expected_tests[ \t]*=[ \t]*\[(?:[^\]"']|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*\]/m;
  if (present.test(text)) return text.replace(present, () => entry);
  const table = /^[ \t]*\[seatrial\][ \t]*(?:#.*)?$/m;
  if (table.test(text)) return text.replace(table, (header) => `${header}\n${entry}`);
  return `${text.trimEnd()}\n\n[seatrial]\n${entry}\n`;
}
