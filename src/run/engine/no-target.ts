import type { NoTargetInspection } from '../../evidence/schema/no-target.ts';

/** What an engine was given, by kind: every text that could tell it of a target. */
export type Searched = Readonly<Record<string, readonly string[]>>;

export interface ReachFacts {
  readonly runId: string;
  readonly nonce: string;
  readonly targets: readonly string[];
  readonly given: Searched;
  readonly mounts: NoTargetInspection['mounts'];
  /** Directories of this machine that were shown inside. */
  readonly shown: readonly string[];
  readonly namespaces: Readonly<Record<string, string>>;
  readonly probe: { readonly passed: boolean; readonly detail: string };
  readonly attempts: NoTargetInspection['attempts'];
}

/** Whether any target path was named to the engine or lay below something it could see. It says how that was found. */
export function inspectReach(facts: ReachFacts): NoTargetInspection {
  const searched = Object.entries(facts.given).map(([what, texts]) => ({
    what,
    items: texts.length,
    matches: facts.targets.filter((target) => texts.some((text) => text.includes(target))),
  }));
  const shown = facts.targets.filter((target) => facts.shown.some((dir) => within(target, dir) || within(dir, target)));
  const places = [...searched, { what: 'mounted folders', items: facts.shown.length, matches: shown }];
  return {
    schema_version: 1,
    run_id: facts.runId,
    nonce: facts.nonce,
    conclusion: conclude(
      facts,
      places.some((place) => place.matches.length > 0),
    ),
    targets: [...facts.targets],
    searched: places,
    mounts: facts.mounts,
    namespaces: { ...facts.namespaces },
    probe: { passed: facts.probe.passed, detail: facts.probe.detail },
    attempts: facts.attempts,
  };
}

function conclude(facts: ReachFacts, found: boolean): NoTargetInspection['conclusion'] {
  if (facts.targets.length === 0) return 'no targets configured';
  return found || !facts.probe.passed ? 'reachable' : 'not reachable';
}

function within(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith('/') ? dir : `${dir}/`);
}
