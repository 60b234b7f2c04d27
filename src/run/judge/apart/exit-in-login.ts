import { reason } from '../../../evidence/reasons/catalogue.ts';
import { startedByHand } from '../sandbox/login-session.ts';
import { type ApartRequest, type ApartVerdict, NOT_TRIED_APART } from './apart-verdict.ts';

/**
 * If only an exit code is checked, runs the whole command as if a person had started it. If it fails twice, the code works only for the
 * judge, unless the base, too, succeeds under the judge and fails by hand.
 */
export async function tryExitInLogin(request: ApartRequest): Promise<ApartVerdict> {
  const { record, bench, baseBench, deciding, base } = request;
  const succeeds = async (on: ApartRequest['bench'], tree: string): Promise<boolean> => {
    const command = startedByHand(record.test_command);
    return (await on.run({ tree, command, plain: true, byHand: { packages: true } })).exitCode === 0;
  };
  if ((await succeeds(bench, deciding.dir)) || (await succeeds(bench, deciding.dir))) return NOT_TRIED_APART;
  if (record.exit_code === 0 && !(await succeeds(baseBench, base.dir))) return NOT_TRIED_APART;
  return { passed: [], faults: [reason('passes_beside_tests_only', { tests: record.test_command })] };
}
