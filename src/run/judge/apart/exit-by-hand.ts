import { reason } from '../../../evidence/reasons/catalogue.ts';
import { startedByHand } from '../sandbox/started-by-hand.ts';
import { type ApartRequest, type ApartVerdict, NOT_TRIED_APART } from './apart-verdict.ts';

/**
 * Where only an exit code is seen, the whole command runs as if a person had started it. Where it fails then, and fails again, and does
 * not on a base on which it succeeds, the code did its work only for the judge.
 */
export async function tryExitByHand(request: ApartRequest): Promise<ApartVerdict> {
  const { record, bench, baseBench, deciding, base } = request;
  const succeeds = async (on: ApartRequest['bench'], tree: string): Promise<boolean> => {
    const command = startedByHand(record.test_command);
    return (await on.run({ tree, command, plain: true, byHand: { packages: true } })).exitCode === 0;
  };
  if ((await succeeds(bench, deciding.dir)) || (await succeeds(bench, deciding.dir))) return NOT_TRIED_APART;
  if (record.exit_code === 0 && !(await succeeds(baseBench, base.dir))) return NOT_TRIED_APART;
  return { passed: [], faults: [reason('passes_beside_tests_only', { n: 1 })] };
}
