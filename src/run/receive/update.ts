import { SeatrialError } from '../../kernel/errors.ts';

/** What a push asks for: one ref and its ids. Null: the ref does not exist before or after. */
export interface RefUpdate {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The lines that git gives to a pre-receive hook: `<before> <after> <ref>`. Throws on anything else. */
export function parseUpdates(text: string): readonly RefUpdate[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, before = '', after = '', ref = ''] =
        /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (refs\/[^\s]+)$/.exec(line) ?? [];
      if (ref === '')
        throw new SeatrialError(
          'usage',
          `${JSON.stringify(line)} is no line of a push; git gives \`<before> <after> <ref>\` to a pre-receive hook`,
        );
      return { ref, before: idOf(before), after: idOf(after) };
    });
}

const idOf = (id: string): string | null => (/^0+$/.test(id) ? null : id);
