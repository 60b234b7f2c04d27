import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prettyJson } from '../../kernel/canonical.ts';
import { faultAbout, readAdmissions } from './read.ts';
import { sampleExecutable, sampleModel, sampleSource } from '../sample-records.fixture.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'admissions-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function lay(name: string, value: unknown): void {
  writeFileSync(join(dir, name), typeof value === 'string' ? value : prettyJson(value));
}

const faults = (): string[] => readAdmissions(dir).faults.map(({ file, what }) => `${file} ${what}`);

it('reads every JSON file, whatever its name, and nothing else', () => {
  lay('CTO-CASE-MODEL-PROVIDER-ADMISSION.qwen-local-qwen3.6-35b-a3b.json', sampleModel);
  lay('whatever.json', sampleSource);
  lay('.hidden.json', sampleExecutable);
  lay('notes.txt', 'not a record');
  const { records, faults: none } = readAdmissions(dir);
  expect(records.map(({ record }) => record.kind).sort()).toEqual(['executable', 'model', 'source']);
  expect(none).toEqual([]);
});

it('a missing directory admits nothing, and an unreadable one blocks everything', () => {
  expect(readAdmissions(join(dir, 'none'))).toEqual({ records: [], faults: [] });
  lay('file', '');
  const odd = readAdmissions(join(dir, 'file'));
  expect(odd.records).toEqual([]);
  expect(faultAbout('model', { engine: 'case', admissions: odd })?.detail).toContain('cannot be read');
});

describe('an invalid record is a fault that names the file', () => {
  it.each([
    ['cut off', prettyJson(sampleModel).slice(0, 80), 'is not JSON'],
    ['empty', '', 'is not JSON'],
    ['a list', [], 'is not valid'],
    ['of no kind', { ...sampleModel, kind: 'wish' }, 'is not valid'],
    ['of a later version', { ...sampleModel, schema_version: 2 }, 'schema_version'],
    ['with an unknown key', { ...sampleModel, api_key: 'x' }, 'unknown key api_key'],
    ['without its date', { ...sampleModel, admitted_at: undefined }, 'admitted_at'],
    ['with a URL for a variable', { ...sampleModel, endpoint_variable: 'http://10.0.0.7/v1' }, 'never its value'],
    ['with a key for a variable', { ...sampleModel, key_variable: 'abcdef0123456789' }, 'never its value'],
    ['with a well-known key', { ...sampleModel, approver: 'sk-canary4f9a8b7c6d5e4f3a2b1c' }, 'looks like a credential'],
    ['with a key like a name', { ...sampleModel, key_variable: 'AKIA4QZ7Y2K9X3M8N5B6' }, 'looks like a credential'],
    ['with a URL as model', { ...sampleModel, model: 'http://host/v1' }, 'name of a model'],
    ['with a URL as bridge', { ...sampleModel, auth_bridge: { name: 'b', evidence: 'https://h/x' } }, 'without a URL'],
    ['with a password in its URL', { ...sampleSource, url: 'https://me:pw@host/x.git' }, 'without user, password'],
    ['with a token in its URL', { ...sampleSource, url: 'https://host/x.git?token=1' }, 'without user, password'],
    ['that pins nothing', { ...sampleSource, commit: null }, 'needs a commit or tag'],
    ['only looked at, without why', { ...sampleSource, discovery_only: true }, 'must say why'],
    ['with half a digest', { ...sampleExecutable, sha256: 'abc' }, 'sha256'],
    ['too large', `${' '.repeat(300 * 1024)}{}`, 'is larger than 256 KiB'],
  ])('%s', (_name, content, what) => {
    lay('odd.json', content);
    lay('good.json', sampleModel);
    const { records, faults: found } = readAdmissions(dir);
    expect(found.map((fault) => fault.what)).toEqual([expect.stringContaining(what)]);
    expect(found[0]).toMatchObject({ file: 'odd.json', hint: expect.stringMatching(/\S/) });
    expect(records.map(({ file }) => file)).toEqual(['good.json']);
  });

  it('does not quote its content', () => {
    const canary = 'canary-5b1f0c7e9a';
    lay('a.json', `{"key": ${canary}`);
    lay('b.json', { ...sampleModel, key_variable: canary, model: `http://${canary}` });
    expect(faults()).toHaveLength(2);
    expect(JSON.stringify(readAdmissions(dir))).not.toContain(canary);
  });

  it('links, directories, pipes and bytes that are not text', () => {
    writeFileSync(join(dir, 'bytes.json'), Buffer.from([0xff, 0xfe, 0x00]));
    lay('elsewhere', sampleModel);
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'link.json'));
    mkdirSync(join(dir, 'folder.json'));
    execFileSync('mkfifo', [join(dir, 'pipe.json')]);
    expect(readAdmissions(dir).records).toEqual([]);
    expect(faults()).toEqual([
      'bytes.json is not UTF-8 text',
      'folder.json is not a plain file',
      'link.json is a symbolic link, which is not followed',
      'pipe.json is not a plain file',
    ]);
  });

  it('an unreadable file', (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root may read everything');
    lay('closed.json', sampleModel);
    chmodSync(join(dir, 'closed.json'), 0);
    expect(faults()).toEqual(['closed.json cannot be read (EACCES)']);
  });

  it('two records for the same subject: neither counts', () => {
    lay('a.json', sampleModel);
    lay('b.json', { ...sampleModel, wire: 'openai-responses' });
    lay('c.json', { ...sampleModel, engine: 'pi' });
    const { records, faults: found } = readAdmissions(dir);
    expect(records.map(({ file }) => file)).toEqual(['c.json']);
    expect(found.map(({ file, kind, engine }) => [file, kind, engine])).toEqual([
      ['a.json', 'model', 'case'],
      ['b.json', 'model', 'case'],
    ]);
  });
});

it('a fault blocks every check it could concern, and no other', () => {
  lay('model.json', { ...sampleModel, wire: 'smoke' });
  lay('other.json', { ...sampleSource, engine: 'pi', url: 'no' });
  const admissions = readAdmissions(dir);
  const inTheWay = (kind: 'source' | 'executable' | 'model', engine: string): boolean =>
    faultAbout(kind, { engine, admissions }) !== null;
  expect([inTheWay('model', 'case'), inTheWay('source', 'pi')]).toEqual([true, true]);
  expect([inTheWay('source', 'case'), inTheWay('executable', 'case'), inTheWay('model', 'pi')]).toEqual([
    false,
    false,
    false,
  ]);
  lay('broken.json', '{');
  expect(faultAbout('executable', { engine: 'codex', admissions: readAdmissions(dir) })?.detail).toBe(
    'broken.json is not JSON',
  );
});
