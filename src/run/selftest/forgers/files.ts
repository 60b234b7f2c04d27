import { reason } from '../../../evidence/reasons/catalogue.ts';
import { anyWithCode } from '../../../engines/self-test.ts';
import { type Forger, PRETEND, SEEN_AT_ITS_END, SEEN_IN_DIFF, SEEN_IN_TREE } from './forger.ts';
import { copierThatFollows } from './weak-judges.ts';

const WAITS_FOR_EVER = { none: 'opening it blocks forever' };
const NOT_MADE = { none: 'the sandbox prevents its creation' };

const nested = (name: string, depth: number): string =>
  `i=0; while [ $i -lt ${depth} ]; do mkdir ${name} && cd ${name} || break; i=$((i+1)); done; echo hidden > leaf`;

/** Forgers that leave special files, or links that lead elsewhere. */
export const FILE_FORGERS: readonly Forger[] = [
  {
    name: 'a link out of the workspace',
    script: 'solve; ln -s /etc/passwd notes.txt',
    ...SEEN_IN_TREE,
    reason: reason('link_out', { path: 'notes.txt', target: '/etc/passwd' }),
    weak: copierThatFollows('notes.txt', ':'),
  },
  {
    name: 'a link out through another link',
    script: 'solve; mkdir a; ln -s ../.. a/up; ln -s a/up/etc/passwd notes.txt',
    ...SEEN_IN_TREE,
    reason: reason('link_out', { path: 'a/up', target: '../..' }),
    weak: { none: 'a copy has no such parent directory' },
  },
  {
    name: 'the answer itself is a link',
    script: 'solve; cp strings.py /artifacts/later.py; ln -sf /artifacts/later.py strings.py',
    ...SEEN_IN_TREE,
    reason: reason('link_out', { path: 'strings.py', target: '/artifacts/later.py' }),
    weak: copierThatFollows('strings.py', 'NFKD'),
  },
  {
    name: 'hard links out of the workspace',
    script: `for file in /etc/passwd /usr/bin/env "$SOLUTION/solve.sh" /proc/self/exe; do ln "$file" notes.txt 2>/dev/null; done
[ -e notes.txt ] || echo 'linked: nothing'`,
    ...SEEN_IN_DIFF,
    reason: reason('no_diff'),
    says: /^linked: nothing$/m,
    weak: NOT_MADE,
  },
  {
    name: 'a pipe',
    script: 'solve; mkfifo notes.txt',
    ...SEEN_IN_TREE,
    reason: reason('pipe_in_tree', { path: 'notes.txt' }),
    weak: WAITS_FOR_EVER,
  },
  {
    name: 'a pipe in place of the answer',
    script: 'rm strings.py; mkfifo strings.py',
    ...SEEN_IN_TREE,
    reason: reason('pipe_in_tree', { path: 'strings.py' }),
    weak: WAITS_FOR_EVER,
  },
  {
    name: 'a socket',
    script: `solve; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("notes.txt")'`,
    ...SEEN_IN_TREE,
    reason: reason('socket_in_tree', { path: 'notes.txt' }),
    weak: { none: 'nothing can be read from it' },
  },
  {
    name: 'a device',
    script: `mknod notes.txt c 1 5 2>/dev/null || { echo 'made: nothing'; exit 7; }`,
    ...SEEN_AT_ITS_END,
    reason: reason('engine_failed', { engine: 'fake', exit: 7 }),
    says: /^made: nothing$/m,
    weak: NOT_MADE,
  },
  {
    name: 'a path of 4,000 bytes',
    script: `solve; ${nested('d'.repeat(199), 20)}`,
    ...SEEN_IN_DIFF,
    reason: anyWithCode('disallowed_file'),
    weak: { none: 'it depends on the length of the parent path' },
  },
  {
    name: 'a path longer than any path may be',
    script: `solve; ${nested('d'.repeat(249), 40)}`,
    ...SEEN_IN_TREE,
    reason: anyWithCode('unreadable_entry'),
    weak: { none: 'most programs cannot even name it' },
  },
  {
    name: 'a file name that paints the screen',
    script: String.raw`solve; echo x > "$(printf 'notes\033[2J\033[32mPASS\nok')"`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: String.raw`"notes\033[2J\033[32mPASS\nok"` }),
    weak: { none: "it aims at the reader's screen" },
  },
  {
    name: 'a directory in place of the answer',
    script: `rm strings.py; mkdir strings.py; echo 'def slugify(text): return ""' > strings.py/__init__.py; ${PRETEND} || true`,
    ...SEEN_IN_DIFF,
    reason: reason('disallowed_file', { path: 'strings.py/__init__.py' }),
    weak: { none: 'it fools no judge and only has to be survived' },
  },
];
