import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyPaths } from './keys.ts';
import { type SampleSite, sampleRun, sampleSite } from './sample-bundle.fixture.ts';

const document = readFileSync(new URL('../../../docs/evidence.md', import.meta.url), 'utf8');
const commands = [...document.matchAll(/```bash\n([^]*?)```/g)].map((block) => block[1]).join('\n');
const tools = ['bash', 'jq', 'openssl', 'sha256sum'];
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

describe.skipIf(missing.length > 0)(`the commands of docs/evidence.md (need ${tools.join(', ')})`, () => {
  let site: SampleSite;
  let dir: string;
  beforeEach(async () => {
    site = sampleSite();
    dir = (await sampleRun(site, { control: true })).dir;
  });
  afterEach(() => site.remove());

  const check = (): string =>
    execFileSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: dir,
      env: { PATH: process.env['PATH'], TMPDIR: site.root, KEY: keyPaths({ HOME: join(site.root, 'home') }).publicKey },
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('accept a sealed bundle', () => {
    const output = check();
    expect(output).toContain('Signature Verified Successfully');
    expect(output.match(/manifest\.json: OK/g)).toHaveLength(2);
    expect(output).toContain('report.json: OK');
  });

  it.each(['test.log', 'report.json', 'events.normalized.jsonl', 'manifest.json', 'baseline/patch.diff', 'new-file'])(
    'refuse one whose %s was changed',
    (name) => {
      appendFileSync(join(dir, name), '\n');
      expect(check).toThrow(/Command failed/);
    },
  );
});
