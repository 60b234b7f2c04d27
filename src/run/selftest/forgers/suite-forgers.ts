import { join } from 'node:path';
import { EXIT } from '../../../kernel/exit-codes.ts';
import type { Terms } from '../../../task/contract.ts';
import { CANNOT_BE_STOPPED, type Row } from '../row.ts';
import { type Forger, forgerRow, playForger, SEEN_BY_JUDGE } from './forger.ts';
import { type ForgerSuite, suiteDir, FORGER_SUITES, type SuiteForger } from '../suites.ts';
import { exitCodeJudge, type NoWeakJudge, type WeakJudge } from './weak-judges.ts';

/** Forgers that fake the test process or its results from inside, for every runner the judge supports. */
export function suiteForgers(): Forger[] {
  return FORGER_SUITES.flatMap((suite) => [
    // Tests and code share a process, so the only protection is how the runner is started.
    ...suite.outer.map((forger) => fromSuite(suite, forger, 'in_process')),
    ...suite.inner.map((forger) => fromSuite(suite, forger, 'black_box')),
  ]);
}

const NOTE = /code under test shared the judge's process; a hostile patch could forge this/;

/** Forgers that pass: the report's isolation note must warn that they can. */
export function unstoppableRows(): Row[] {
  return FORGER_SUITES.flatMap((suite) =>
    suite.inner.map((inner) => {
      const forger = fromSuite(suite, inner, 'in_process');
      return {
        ...forgerRow(CANNOT_BE_STOPPED, forger),
        expected: { reason: null, event: 'verification.completed', status: 'pass', exit: EXIT.pass, note: NOTE },
        play: async (request) => {
          const { seen, run } = await playForger({ ...forger, weak: { none: '' } }, request);
          return { seen, run };
        },
      };
    }),
  );
}

function fromSuite(suite: ForgerSuite, forger: SuiteForger, isolation: Terms['isolation']): Forger {
  const dir = (name: string): string => join(suiteDir(suite.name), name);
  return {
    name: `${suite.name}: ${forger.name.replaceAll('-', ' ')}`,
    script: 'cp -R "$SOLUTION/." .',
    inputs: { filesDir: dir('base'), testsDir: dir('tests') },
    solution: dir(`forgers/${forger.name}`),
    terms: {
      task: `forged-${suite.name}`,
      test_command: suite.command,
      expected_tests: [...suite.expected],
      allowed_files: ['**'],
      isolation,
    },
    ...SEEN_BY_JUDGE,
    reason: forger.reason,
    weak: weakFor(suite, forger),
  };
}

function weakFor(suite: ForgerSuite, { weak }: SuiteForger): WeakJudge | NoWeakJudge {
  if (weak.kind === 'none') return { none: weak.why };
  return weak.kind === 'exit code' ? exitCodeJudge(weak.command) : okLines(suite.expected);
}

/** Accepts every `ok <id>` on descriptor 3, whatever its origin, and takes the first test script it finds. */
function okLines(expected: readonly string[]): WeakJudge {
  const programs = { ok: 'echo "ok $1" >&3', not_ok: 'echo "not ok $1" >&3', subject: 'exec "$@"' };
  const written = Object.entries(programs).map(
    ([name, body]) => `printf '#!/bin/sh\\n%s\\n' '${body}' > /tmp/${name}; `,
  );
  return {
    name: 'every `ok` line that arrives',
    script: `cp -a /left/. . && cp -R /tests tests; ${written.join('')}chmod +x /tmp/*; export PATH="/tmp:$PATH"
script=test.sh; [ -e test.sh ] || script=tests/test.sh; sh $script 3>&1 >/dev/null 2>&1 | cat > /tmp/lines
for id in ${expected.join(' ')}; do grep -qx "ok $id" /tmp/lines || exit 1; done`,
  };
}
