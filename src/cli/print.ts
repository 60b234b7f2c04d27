import { prettyJson } from '../kernel/canonical.ts';

/** The result of a command on standard output: with --json as data, otherwise as lines of text. */
export function print(json: boolean | undefined, value: unknown, lines: () => readonly string[]): void {
  process.stdout.write(
    json === true
      ? prettyJson(value)
      : lines()
          .map((line) => `${line}\n`)
          .join(''),
  );
}
