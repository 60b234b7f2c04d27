import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { REPOSITORY_DEFAULTS } from '../../task/ask.ts';
import { detectProject, type Detected } from '../../task/detect.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { handledBy, parseAndRun } from '../options.ts';

export function initCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('init')
    .description(
      `Detect how a repository is set up and tested, and write it to ${REPOSITORY_DEFAULTS} with the files an engine may change.`,
    )
    .argument('[dir]', 'the repository', '.')
    .option('--force', 'overwrite an existing file')
    .option('--dry-run', 'print the file instead of writing it');
  return parseAndRun(
    handledBy(command, ([dir], { force, dryRun }) => init(resolve(dir), force === true, dryRun === true)),
    args,
  );
}

function init(root: string, force: boolean, dryRun: boolean): ExitCode {
  const file = join(root, REPOSITORY_DEFAULTS);
  if (!existsSync(join(root, '.git')))
    throw new SeatrialError('usage', `${root} is not a git repository; give the directory that contains .git`);
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined && !force && !dryRun)
    throw new SeatrialError('usage', `${file} already exists; edit it, or overwrite it with --force`);
  const found = look(root);
  for (const [what, value] of describe(found)) process.stderr.write(`${what.padEnd(16)} ${value}\n`);
  const text = defaultsText(found);
  if (dryRun) {
    process.stdout.write(text);
    return EXIT.pass;
  }
  refuseLinks(root, file);
  try {
    makeDirs(dirname(file));
    writeWhole(file, text);
  } catch (error) {
    throw new SeatrialError('usage', `${file} cannot be written: ${messageOf(error)}`, error);
  }
  process.stdout.write(
    `wrote ${file}; review and commit it, then run \`seatrial run --repo . --ask '…' --engine …\`\n`,
  );
  return EXIT.pass;
}

function look(root: string): Detected {
  const skipped = /(^|\/)(node_modules|\.venv|target|dist|\.seatrial)\//;
  const paths = [...walkTree(root, { skipTopGit: true }).entries.values()]
    .filter((entry) => entry.kind === 'file')
    .map((entry) => entry.path.toString('utf8'))
    .filter((path) => !skipped.test(path));
  const known = new Set(paths);
  return detectProject({ paths, read: (path) => (known.has(path) ? readFileSync(join(root, path), 'utf8') : null) });
}

function describe(found: Detected): [string, string][] {
  return [
    ['language', found.language ?? 'not recognised'],
    ['lockfile', found.lockfile ?? 'none'],
    ['set up by', found.setupCommand ?? 'nothing'],
    ['tested by', found.testCommand ?? 'not recognised: fill in test_command'],
    ['may change', 'everything; changed tests are kept, and have no vote when a change is judged'],
  ];
}

function defaultsText(found: Detected): string {
  const line = (key: string, value: string | null): string =>
    value === null ? `# ${key} = ""` : `${key} = ${JSON.stringify(value)}`;
  return `# Defaults of \`seatrial run --repo\` for this repository. Flags of the command take precedence.
version = "1.0"

[agent]
timeout_sec = 600

[verifier]
timeout_sec = 300

[seatrial]
${line('test_command', found.testCommand)}
${line('setup_command', found.setupCommand)}
allowed_files = ["**"]
# Files that no change may touch, as globs, and tests that fail already:
# protected_files = []
# known_failing = []
`;
}
