import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { pathText } from '../../src/kernel/path-text.ts';
import { Place } from '../support/seatrial.ts';
import { decidedBy } from '../support/decided-by.ts';

const place = new Place();
afterAll(() => place.remove());

/** Names that break programs which take names for text, options, patterns or lines. */
const NAMES = [
  'with space',
  ' leading',
  'trailing ',
  'new\nline',
  'tab\there',
  '-rf',
  '--help',
  'quote"d',
  "single'quote",
  'back\\slash',
  'ünïcode ✓',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '!x',
  '#x',
  '~',
  '$HOME',
  '`id`',
  ':(glob)x',
  'a'.repeat(255),
  '.gitignore',
  '.gitattributes',
  'deep/ \n/-/x',
  '\u202Egnp.exe',
].map((name) => Buffer.from(name));
NAMES.push(
  Buffer.from([0xff, 0xfe, 0x41]),
  Buffer.from('dir\xff/caf\xe9', 'latin1'),
  Buffer.from('"\\n\xff', 'latin1'),
);

/** A tree may bring rules of its own: none of them changes how what was there from the start is seen. */
const RULES: Readonly<Record<string, string>> = {
  '.gitattributes': '* text eol=crlf\n*.bin -diff\n',
  '.gitignore': 'gone\nscript.sh\n*.txt\nfolder/\n',
};

/** What the task starts with beside the odd names; the oracle turns it into something else. */
function layFiles(files: string): void {
  const at = (name: string | Buffer): Buffer => Buffer.concat([Buffer.from(`${files}/`), Buffer.from(name)]);
  for (const name of NAMES) {
    const path = at(name);
    mkdirSync(path.subarray(0, path.lastIndexOf(0x2f)), { recursive: true });
    writeFileSync(path, RULES[name.toString('latin1')] ?? '*\n');
  }
  for (const dir of ['folder/inner', 'hollow/empty', 'big-to-be/empty', 'target', 'crate'])
    mkdirSync(at(dir), { recursive: true });
  writeFileSync(at('folder/inner/file'), 'x\n');
  writeFileSync(at('hollow/file'), 'x\n');
  writeFileSync(at('target/file'), 'x\n');
  writeFileSync(at('crate/big'), Buffer.alloc(5_000_000));
  writeFileSync(at('file'), 'x\n');
  writeFileSync(at('gone'), 'x\n');
  writeFileSync(at('old-name'), 'line\n'.repeat(50));
  writeFileSync(at('script.sh'), 'true\n');
  writeFileSync(at('crlf.txt'), 'a\r\nb\r\n');
  writeFileSync(at('open-end.txt'), 'no newline at the end');
  writeFileSync(at('empty'), '');
  writeFileSync(at('filled'), 'x\n');
  writeFileSync(at('data.bin'), Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 256)));
  writeFileSync(at('big-one'), Buffer.alloc(5_000_000, 'big\n'));
  symlinkSync('file', at('link'));
  symlinkSync('target', at('folder-link'));
  symlinkSync('nowhere', at('dangling'));
}

const SOLVE = `set -e
find . -path ./.git -prune -o -type f -exec sh -c 'for f; do [ "$(head -c 9 "$f")" != "*" ] || echo new > "$f"; done' sh {} +
printf '* text eol=lf\\n' > .gitattributes; echo '*' > .gitignore
rm -r folder && echo 'a file now' > folder
rm -r crate && echo 'a file now' > crate
rm -r hollow && echo 'a file now' > hollow
rm file && mkdir file && echo 'a folder now' > file/inside
rm gone; mv old-name new-name; chmod +x script.sh
printf 'a\\r\\nc\\r\\n' > crlf.txt; printf 'still none' > open-end.txt; printf x > empty; : > filled; : > new-empty
printf '\\000\\001\\377' > data.bin
rm big-one && mkdir big-one && echo small > big-one/inside
rm -r big-to-be && head -c 5000000 /dev/zero > big-to-be
rm link && ln -s new-name link && ln -s link "link
two"
rm folder-link && mkdir folder-link && head -c 5000000 /dev/zero > folder-link/big
rm -r target && ln -s file target
mkdir new-empty-folder
echo yes > answer.txt
`;

it('any file name and any kind of change goes through the whole run: patch, report, verify, rerun', async () => {
  const dir = place.task('odd names, ünï', { solve: SOLVE });
  layFiles(join(dir, 'environment/files'));
  const { code, report } = await place.run('odd names, ünï');
  expect([code, report.status, report.blockers]).toEqual([0, 'pass', []]);
  const others = [
    'answer.txt',
    'folder',
    'folder/inner/file',
    'hollow',
    'hollow/file',
    'crate',
    'crate/big',
    'file',
    'file/inside',
    'gone',
    'old-name',
    'new-name',
    'script.sh',
    'crlf.txt',
    'open-end.txt',
    'empty',
    'filled',
    'new-empty',
    'data.bin',
    'big-one',
    'big-one/inside',
    'big-to-be',
    'link',
    'link\ntwo',
    'folder-link',
    'folder-link/big',
    'target',
    'target/file',
  ].map((name) => Buffer.from(name));
  expect(report.changed_files.toSorted()).toEqual([...NAMES, ...others].map(pathText).toSorted());
  for (const file of ['report.md', 'report.html']) {
    const text = readFileSync(join(report.run_dir, file), 'utf8');
    expect(text).toContain('caf\\351');
    expect(text).not.toContain('\u202E');
  }
  const patch = readFileSync(join(report.run_dir, 'patch.diff'), 'latin1');
  expect(patch).toContain('old mode 100644\nnew mode 100755');
  expect(patch).toContain('GIT binary patch');
  expect(patch).toContain('\\ No newline at end of file');
  expect(patch.length).toBeLessThan(100_000);

  const verified = await place.seatrial(['verify', report.run_id, '--rerun']);
  expect(verified.code, verified.stdout).toBe(0);
  expect(verified.stdout).toMatch(/ok +rerun +judged again: passed/);
});

it('odd names obey allowed_files and may not slip into the tests', async () => {
  place.task('allowed', { toml: '[seatrial]\ntest_command = "sh test.sh"\nallowed_files = ["answer.txt", "in/**"]\n' });
  const make = `echo yes > answer.txt; mkdir in tests; : > "in/new
line"; : > "in/quo\\"te"; : > "$(printf 'in/\\377')"; : > "$(printf 'tests/\\377')"; : > "tests/new
line"; : > "-out"`;
  const { code, report } = await place.run('allowed', ['--engine', 'command', '--command', make]);
  expect([code, report.status]).toEqual([1, 'fail']);
  expect(report.disallowed_writes.toSorted()).toEqual(['"tests/\\377"', '"tests/new\\nline"', '-out']);
});

it('a workspace may be empty, before and after', async () => {
  place.task('empty', { files: {} });
  expect((await place.run('empty')).report).toMatchObject({ status: 'pass', changed_files: ['answer.txt'] });
  const emptied = await place.run('allowed', ['--engine', 'command', '--command', 'rm -rf answer.txt']);
  expect(emptied.report).toMatchObject({
    status: 'fail',
    blocker_codes: decidedBy('tests_failed'),
    changed_files: ['answer.txt'],
  });
  const all = await place.seatrial(['verify', '--all']);
  expect(all.code, all.stdout).toBe(0);
});
