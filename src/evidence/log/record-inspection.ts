import { prettyJson } from '../../kernel/canonical.ts';
import { NO_TARGET_FILE } from '../bundle/artifacts.ts';
import type { NoTargetInspection } from '../schema/no-target.ts';
import type { RunLog } from './run-log.ts';

/** Keeps what was found out about the targets: the whole of it in a file, the conclusion as an event. */
export function recordInspection(log: RunLog, inspection: NoTargetInspection): void {
  const { conclusion, targets } = inspection;
  log.write(NO_TARGET_FILE, prettyJson(inspection));
  log.append('targets.inspected', 'harness', {
    conclusion,
    targets: targets.length,
    planted: targets.filter(({ given_by: by }) => by === 'harness').length,
  });
}
