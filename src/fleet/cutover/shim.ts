import { shellWord } from '../../agents/lifecycle/script.ts';
import type { CutoverPlan } from './schema.ts';

type Kind = CutoverPlan['shim_kind'];

const NOTE = 'Written by `seatrial cutover`; `seatrial cutover rollback` puts the file before it back.';

/** A shim that starts nothing: while projects change places, no boot and no timer may start either. */
export function holdingShim(kind: Kind, before: string): string {
  switch (kind) {
    case 'shell':
      return `#!/bin/sh\n# ${NOTE}\nexit 0\n`;
    case 'python':
      return `#!/usr/bin/env python3\n# ${NOTE}\nraise SystemExit(0)\n`;
    case 'unit':
      return withExecStart(before, '/bin/true');
    default:
      return kind satisfies never;
  }
}

/** A shim that starts another project: `command` with its arguments, found by this PATH. */
export function startingShim(kind: Kind, before: string, command: readonly string[], path: string): string {
  switch (kind) {
    case 'shell':
      return `#!/bin/sh\n# ${NOTE}\nexport PATH=${shellWord(path)}\nexec ${command.map(shellWord).join(' ')}\n`;
    case 'python':
      return `#!/usr/bin/env python3\n# ${NOTE}\nimport os\n\nos.environ["PATH"] = ${JSON.stringify(path)}\ncommand = ${JSON.stringify(command)}\nos.execv(command[0], command)\n`;
    case 'unit':
      return withExecStart(before, command.map((word) => JSON.stringify(word.replaceAll('%', '%%'))).join(' '));
    default:
      return kind satisfies never;
  }
}

const withExecStart = (unit: string, line: string): string =>
  unit.replace(/^ExecStart\s*=.*$/m, () => `# ${NOTE}\nExecStart=${line}`);
