/** Arguments of a tool that tell what a call is about, the most telling first. */
const TELLING = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'pattern',
  'query',
  'url',
  'prompt',
];

/** One line that tells a call from others of the same tool. */
export function aboutCall(detail: string): string {
  const values = argumentsIn(detail);
  if (values === null) return firstLine(detail);
  const named = TELLING.map((name) => values[name]).find((value) => typeof value === 'string' && value !== '');
  return firstLine(typeof named === 'string' ? named : (Object.values(values).find(isText) ?? ''));
}

/** Arguments as a person reads them: a name and its value, text with its own line breaks. */
export function argumentsText(detail: string): string {
  const values = argumentsIn(detail);
  if (values === null) return detail;
  return Object.entries(values)
    .map(([name, value]) => {
      const text = isText(value) ? value : (JSON.stringify(value, null, 2) ?? '');
      return text.includes('\n') ? `${name}:\n${text.replace(/\n$/, '')}` : `${name}: ${text}`;
    })
    .join('\n');
}

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 200);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Null: not an object, such as a shell command. */
function argumentsIn(detail: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(detail);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
