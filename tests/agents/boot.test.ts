import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Place, writeBelow } from '../support/seatrial.ts';

const place = new Place();
afterAll(() => place.remove());
writeBelow(place.cwd, {
  'agents.toml': 'session_prefix = "demo-"\n[agents.logs]\nkind = "service"\ncommand = "sleep 60"\n',
});

/** A systemctl that writes down what it was asked, and the linger of the user as loginctl would say it. */
function systemd(linger: 'yes' | 'no'): string {
  const bin = join(place.root, `bin-${linger}`);
  writeBelow(bin, {
    systemctl: `#!/bin/sh\necho "$@" >> '${bin}/calls'\n`,
    loginctl: `#!/bin/sh\necho Linger=${linger}\n`,
  });
  for (const name of ['systemctl', 'loginctl']) chmodSync(join(bin, name), 0o755);
  return bin;
}

const units = join(place.home, '.config/systemd/user');

describe('boot', () => {
  it('writes and enables a timer, says what is missing, and takes both back', async () => {
    const bin = systemd('no');
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const installed = await place.seatrial(['boot', 'install'], { env });
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout).toContain('note: run `loginctl enable-linger`');
    const [service = '', timer = ''] = readdirSync(units).sort();
    expect(readFileSync(join(units, service), 'utf8')).toContain(`"up" "--resume" "--project" "${place.cwd}"`);
    expect(readFileSync(join(bin, 'calls'), 'utf8')).toContain(`--user enable --now ${timer}\n`);

    const removed = await place.seatrial(['boot', 'remove'], { env });
    expect(removed.code).toBe(0);
    expect(readdirSync(units)).toEqual([]);
    expect(readFileSync(join(bin, 'calls'), 'utf8')).toContain(`--user disable --now ${timer}\n`);
  });

  it('prints a line for cron where no systemd answers, and writes nothing', async () => {
    const bin = systemd('yes');
    writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\nexit 1\n');
    const { code, stdout } = await place.seatrial(['boot', 'install'], { env: { PATH: `${bin}:/usr/bin:/bin` } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\* \* \* \* \* PATH=\S+ \S+ \S+ up --resume --project \S+ >\/dev\/null 2>&1$/m);
    expect(existsSync(units) ? readdirSync(units) : []).toEqual([]);
  });

  it('says what is wrong where there is no project', async () => {
    const { code, stderr } = await place.seatrial(['boot', 'install', '--project', '/usr']);
    expect(code).toBe(64);
    expect(stderr).toContain('agents.toml');
  });
});
