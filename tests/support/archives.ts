import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeBelow } from './seatrial.ts';

/** Packages as their package managers take them, made here so that no registry is needed. */

const ZIP = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name, content in json.loads(sys.argv[2]).items():
        archive.writestr(name, content)
`;

function zip(dir: string, files: Readonly<Record<string, string>>): Buffer {
  const target = join(dir, 'made.zip');
  execFileSync('python3', ['-c', ZIP, target, JSON.stringify(files)], { env: { PATH: process.env['PATH'] } });
  return readFileSync(target);
}

/** A Python package with one function, which joins words. */
export function wheel(dir: string): Buffer {
  const about = 'words-1.0.dist-info';
  return zip(dir, {
    'words.py': 'def join(*words):\n    return "-".join(words)\n',
    [`${about}/METADATA`]: 'Metadata-Version: 2.1\nName: words\nVersion: 1.0\n',
    [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${about}/RECORD`]: ['words.py', `${about}/METADATA`, `${about}/WHEEL`, `${about}/RECORD`]
      .map((name) => `${name},,\n`)
      .join(''),
  });
}

/** The files of a Go proxy with one module in it. */
export function goProxy(dir: string): Record<string, string | Uint8Array> {
  const module = 'module example.com/words\n\ngo 1.19\n';
  const code = 'package words\n\nimport "strings"\n\nfunc Join(w ...string) string { return strings.Join(w, "-") }\n';
  const at = 'example.com/words@v1.0.0';
  return {
    'example.com/words/@v/list': 'v1.0.0\n',
    'example.com/words/@v/v1.0.0.info': '{"Version":"v1.0.0","Time":"2020-01-01T00:00:00Z"}',
    'example.com/words/@v/v1.0.0.mod': module,
    'example.com/words/@v/v1.0.0.zip': zip(dir, { [`${at}/go.mod`]: module, [`${at}/words.go`]: code }),
  };
}

/** The files of a Cargo registry with one crate in it. */
export function cargoRegistry(dir: string): Record<string, string | Uint8Array> {
  writeBelow(join(dir, 'words-1.0.0'), {
    'Cargo.toml': '[package]\nname = "words"\nversion = "1.0.0"\nedition = "2021"\n',
    'src/lib.rs': 'pub fn join(w: &[&str]) -> String { w.join("-") }\n',
  });
  execFileSync('tar', ['-czf', 'words.crate', 'words-1.0.0'], { cwd: dir });
  const crate = readFileSync(join(dir, 'words.crate'));
  const checksum = createHash('sha256').update(crate).digest('hex');
  const row = { name: 'words', vers: '1.0.0', deps: [], cksum: checksum, features: {}, yanked: false };
  return { 'words-1.0.0.crate': crate, 'index/wo/rd/words': `${JSON.stringify(row)}\n` };
}
