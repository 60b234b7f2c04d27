import { anyWithCode, type ExpectedReason } from '../../../../engines/self-test.ts';
import { reason } from '../../../../evidence/reasons/catalogue.ts';
import type { Forger } from '../forger.ts';
import { exitCodeInTree } from '../weak-judges.ts';
import type { ForgedRepository } from './samples.ts';

/** What the patch makes of files: their new text, or null for none. */
export type ForgedFiles = Readonly<Record<string, string | null>>;

/** A patch to a sample that does not mend it, and that the exit code of the sample's own test command does not tell from one that does. */
export function forge(name: string, sample: ForgedRepository, changes: ForgedFiles, expected: ExpectedReason): Forger {
  return {
    name,
    script: Object.entries(changes).map(put).join(''),
    repository: sample.files,
    test: sample.test,
    ...(sample.needs === undefined ? {} : { needs: sample.needs }),
    ...(sample.setup === undefined ? {} : { setup: sample.setup }),
    reason: expected,
    event: 'verification.completed',
    weak: exitCodeInTree(sample.test, sample.needs),
  };
}

function put([path, text]: readonly [string, string | null]): string {
  if (text === null) return `rm -r '${path}'\n`;
  const ending = text.endsWith('\n') ? '' : '\n';
  return `mkdir -p "$(dirname '${path}')"; cat > '${path}' <<'FORGED'\n${text}${ending}FORGED\n`;
}

/** A file of a sample with some of its text replaced. */
export function edited(
  sample: ForgedRepository,
  path: string,
  ...edits: readonly (readonly [string, string])[]
): ForgedFiles {
  const text = edits.reduce((before, [from, to]) => before.replaceAll(from, to), sample.files[path] ?? '');
  return { [path]: text };
}

export const NOTHING_FIXED = reason('nothing_fixed');
export const BESIDE_TESTS_ONLY = anyWithCode('passes_beside_tests_only');
export const MISSING = anyWithCode('tests_missing');
export const CHANNEL = anyWithCode('test_channel_tampered');
export const WRITTEN = reason('test_files_changed');
export const decidesChanged = (path: string): ExpectedReason => reason('decides_changed', { path });
export const disallowed = (path: string): ExpectedReason => reason('disallowed_file', { path });

export const python = (code: string): ForgedFiles => ({ 'slug.py': code });
export const javascript = (code: string): ForgedFiles => ({ 'slug.js': code });
/** The bug, left as it is. */
export const LOWER_PYTHON = 'def slug(text):\n    return text.lower()\n';
export const LOWER_JS = 'export const slug = (text) => text.toLowerCase();\n';

/** A text that equals every other, and looks at it all the same. */
export const EQUAL_PYTHON = `class Slug(str):
    def __eq__(self, other):
        return isinstance(other, str)

    __hash__ = str.__hash__


def slug(text):
    return Slug(text.lower())
`;
