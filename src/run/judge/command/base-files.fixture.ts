import type { BaseFiles } from './base-files.ts';

/** For tests: files from texts, where each can say what commands mean. */
export function filesOf(texts: Readonly<Record<string, string>>): BaseFiles {
  const read = (path: string): string | null => texts[path] ?? null;
  return {
    command: read,
    source: read,
    dirsWith: (name) =>
      Object.keys(texts)
        .filter((path) => `/${path}`.endsWith(`/${name}`))
        .map((path) => path.slice(0, -name.length).replace(/\/$/, ''))
        .sort(),
  };
}
