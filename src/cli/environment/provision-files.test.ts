import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Masker } from '../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../evidence/secrets/patterns.ts';
import { PROVISION_FILE, readProvisionFiles, secretsInFiles } from './provision-files.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('files are found by name, where their program looks for them', () => {
  mkdirSync(join(home, '.pip'));
  writeFileSync(join(home, '.pip/pip.conf'), 'x');
  writeFileSync(join(home, '.npmrc'), 'y');
  expect(readProvisionFiles(['~/.npmrc', 'pip.conf', '.netrc'], home)).toEqual([
    { name: '~/.npmrc', path: '.npmrc', content: Buffer.from('y') },
    { name: 'pip.conf', path: '.pip/pip.conf', content: Buffer.from('x') },
    { name: '.netrc', path: '.netrc', content: null },
  ]);
});

test.each(['~/.npmrc', 'pip.conf', '~/.m2/settings.xml'])('%s may be named', (name) => {
  expect(PROVISION_FILE.test(name)).toBe(true);
});
test.each(['/etc/shadow', '~/../other/.npmrc', '~/', '', 'passwords.txt'])('%s may not', (name) => {
  expect(PROVISION_FILE.test(name)).toBe(false);
});

test('tokens, passwords and what base64 hides are masked, names of hosts are not', () => {
  const content = Buffer.from(
    [
      'registry=https://registry.example.org/npm/',
      '//registry.example.org/npm/:_authToken=npm_a1B2c3D4e5F6g7H8',
      `_auth=${Buffer.from('ada:correct-horse-9').toString('base64')}`,
      'index-url = https://ada:pw0-of-the-index@pypi.example.org/simple',
      'machine git.example.org login ada password hunter2-hunter3',
    ].join('\n'),
  );
  const mask = new Masker(new SecretPatterns(secretsInFiles([{ name: '.npmrc', path: '.npmrc', content }])));
  const said = mask.text(
    'GET https://registry.example.org/npm/ npm_a1B2c3D4e5F6g7H8 correct-horse-9 pw0-of-the-index hunter2-hunter3',
  );
  expect(said).toContain('GET https://registry.example.org/npm/ ');
  for (const secret of ['npm_a1B2', 'correct-horse', 'pw0-of', 'hunter2']) expect(said).not.toContain(secret);
});
