import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_SETTINGS } from '../environment.ts';

/** Host paths of the generated files that commands see in place of the machine's /etc files. */
export interface SyntheticEtc {
  readonly passwd: string;
  readonly group: string;
  readonly hosts: string;
  readonly gitSettings: string;
  readonly empty: string;
}

const PASSWD = `agent:x:1000:1000:agent:/home/agent:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/bin/false
`;
const GROUP = 'agent:x:1000:\nnogroup:x:65534:\n';
const HOSTS = '127.0.0.1 localhost seatrial\n::1 localhost\n';

export function writeSyntheticEtc(scratch: string): SyntheticEtc {
  const dir = join(scratch, 'etc');
  mkdirSync(dir, { mode: 0o755 });
  const write = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  };
  return {
    passwd: write('passwd', PASSWD),
    group: write('group', GROUP),
    hosts: write('hosts', HOSTS),
    gitSettings: write('gitconfig', GIT_SETTINGS),
    empty: write('empty', ''),
  };
}
