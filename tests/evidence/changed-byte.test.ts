import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BundleVerification } from '../../src/evidence/verify/types.ts';
import { Place } from '../support/seatrial.ts';

/** How many changed copies are looked at by one call of the command. */
const COPIES = 40;
const SOLUTION =
  'cat > strings.py <<"END"\nimport re\nimport unicodedata\n\ndef slugify(text):\n    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()\n    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")\nEND';

const place = new Place();
const runs = join(place.root, 'changed');
let bundle: string;
let files: readonly string[];

beforeAll(async () => {
  const { report } = await place.run('r1-string-slugify', ['--engine', 'command', '--command', SOLUTION]);
  expect(report.status).toBe('pass');
  bundle = report.run_dir;
  files = readdirSync(bundle, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(bundle.length + 1))
    .toSorted();
});
afterAll(() => place.remove());

interface Change {
  readonly how: 'flip' | 'replace' | 'append' | 'cut' | 'remove' | 'add';
  /** Which file and which byte, as fractions of all there are. */
  readonly file: number;
  readonly at: number;
  readonly value: number;
}

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const change: fc.Arbitrary<Change> = fc.record({
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('flip', 'replace') },
    { weight: 1, arbitrary: fc.constantFrom('append', 'cut', 'remove', 'add') },
  ),
  file: fraction,
  at: fraction,
  value: fc.integer({ min: 1, max: 255 }),
});

/** Makes one change to a bundle; gives the path of what was changed, or null where there was no byte to change. */
function apply(dir: string, { how, file, at, value }: Change): string | null {
  const name = files[Math.floor(file * files.length)] ?? '';
  const path = join(dir, name);
  const bytes = readFileSync(path);
  const offset = Math.floor(at * bytes.length);
  switch (how) {
    case 'append':
      appendFileSync(path, Buffer.of(value));
      return name;
    case 'remove':
      rmSync(path);
      return name;
    case 'add':
      writeFileSync(`${path}.more`, '');
      return `${name}.more`;
    case 'cut':
      if (bytes.length > 0) truncateSync(path, bytes.length - 1);
      return bytes.length > 0 ? name : null;
    case 'flip':
    case 'replace': {
      const old = bytes[offset];
      if (old === undefined) return null;
      bytes[offset] = how === 'flip' ? old ^ (1 << (value % 8)) : (old + value) % 256;
      writeFileSync(path, bytes);
      return name;
    }
    default:
      return how satisfies never;
  }
}

function undo(dir: string, path: string | null): void {
  if (path === null) return;
  rmSync(join(dir, path), { force: true });
  if (files.includes(path)) cpSync(join(bundle, path), join(dir, path), { preserveTimestamps: true });
}

/** Where a bundle has been changed, the file must stand in what was found; in the control, by its path there or in the whole. */
function names({ checks }: BundleVerification, path: string): boolean {
  return checks.some(({ ok, detail }) => !ok && detail.includes(path));
}

describe('one byte', () => {
  it('changed anywhere in a real bundle is found, and the file named', async () => {
    const copies = Array.from({ length: COPIES }, (_, index) => join(runs, String(index)));
    for (const dir of copies) cpSync(bundle, dir, { recursive: true, preserveTimestamps: true });
    const property = fc.asyncProperty(fc.array(change, { minLength: COPIES, maxLength: COPIES }), async (changes) => {
      const changed = changes.map((one, index) => apply(copies[index] ?? '', one));
      const ended = await place.seatrial(['verify', '--all', '--runs', runs, '--json']);
      const found: { runs: BundleVerification[] } = JSON.parse(ended.stdout);
      const byDir = new Map(found.runs.map((run) => [run.dir, run]));
      const overlooked = changed.flatMap((path, index) => {
        const run = byDir.get(copies[index] ?? '');
        // Without its report a directory is no run: the ledger is what misses it.
        if (path === null || (run === undefined && path === 'report.json')) return [];
        const seen = run?.verdict === 'invalid' && run.status !== 'pass' && names(run, path);
        return seen
          ? []
          : [{ ...changes[index], path, verdict: run?.verdict, checks: run?.checks.filter(({ ok }) => !ok) }];
      });
      expect(overlooked).toEqual([]);
      expect(ended.code).toBe(1);
      changed.forEach((path, index) => undo(copies[index] ?? '', path));
    });
    await fc.assert(property, { numRuns: 5, endOnFailure: true });
  });

  it('less, or a whole file less, is found when the bundle itself is asked for', async () => {
    for (const name of ['report.json', 'manifest.json', 'attestation.json', 'patch.diff']) {
      const copy = join(place.root, `without ${name}`);
      cpSync(bundle, copy, { recursive: true, preserveTimestamps: true });
      rmSync(join(copy, name));
      const ended = await place.seatrial(['verify', copy]);
      expect(ended.code).not.toBe(0);
      expect(`${ended.stdout}${ended.stderr}`).toContain(name);
      expect(ended.stdout).not.toMatch(/^(verified|consistent)/m);
    }
  });

  it('is all it takes: the same bundle without the change is verified', async () => {
    expect(await place.seatrial(['verify', bundle])).toMatchObject({ code: 0 });
    expect(files.filter((name) => name.startsWith('baseline/'))).not.toEqual([]);
  });
});
