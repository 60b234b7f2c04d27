import type { OwnLog } from '../../engines/definition.ts';
import { asError } from '../../kernel/errors.ts';
import { gatherCompletion, isCommittedProof, type Place } from './completion.ts';
import { LogTail } from './output/log-tail.ts';
import type { EngineExchanges } from '../model/exchange-log.ts';
import type { Run } from '../steps/state.ts';
import type { EngineEventRecorder } from './output/event-recorder.ts';

/** Between two looks at an engine's own log. */
const LOOK_MS = 100;

/** Reads an engine's own log while it works, and ends it once its work is proven to be committed. */
export function watchCompletion(
  run: Run,
  place: Place,
  ownLog: OwnLog,
  said: EngineEventRecorder,
  { claims }: EngineExchanges,
  baseCommit: string | null,
  complete: (commit: string) => void,
): { stop: () => Promise<void> } {
  let claim: string | null = null;
  let looking: Promise<void> | null = null;
  let over = false;
  let fault: Error | null = null;
  const follower = new LogTail({
    workspace: place.sandbox.workspaceFiles.dir,
    dir: ownLog.dir,
    file: run.artifact('backend/own-log.jsonl'),
    mask: run.mask,
    onLine: (line) => {
      run.request.watch.activity(line);
      const { said: events, done } = ownLog.read(line);
      said.record(events);
      claim = done ?? claim;
    },
  });
  const look = async (): Promise<void> => {
    follower.look();
    // The answer that the claim stems from may still be on its way here.
    if (claim === null || !claims.has(claim)) return;
    const claimed = claim;
    claim = null;
    const facts = await gatherCompletion(run, place, baseCommit, claimed);
    if (!over && isCommittedProof(facts)) complete(claimed);
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => void (fault ??= asError(error)))
      .then(() => void (looking = null));
  }, LOOK_MS);
  return {
    stop: async () => {
      over = true;
      clearInterval(timer);
      await looking;
      follower.close();
      if (fault !== null) throw fault;
    },
  };
}
