import { isWithin, mentionsPath } from '../../kernel/path-text.ts';
import type { NoTargetInspection, TargetConclusion } from '../schema/no-target.ts';

type Inspected = Omit<NoTargetInspection, 'conclusion'>;
type Target = NoTargetInspection['targets'][number];

/** What an inspection shows. Verify derives it again from the same facts. */
export function concludeReach(inspection: Inspected): TargetConclusion {
  if (inspection.targets.length === 0) return 'no targets configured';
  return inspection.probe.passed && placesOfTargets(inspection).length === 0 ? 'not reachable' : 'reachable';
}

/** Every way in which a target could be reached, in words. */
export function placesOfTargets(inspection: Inspected): string[] {
  return inspection.targets.flatMap((target) => [
    ...namedIn(target, inspection),
    ...copiedFrom(target, inspection),
    ...shownBy(target, inspection),
    ...openedBy(target, inspection),
  ]);
}

function namedIn({ path }: Target, { searched }: Inspected): string[] {
  return searched.filter(({ matches }) => matches.includes(path)).map(({ what }) => `${path} is named in the ${what}`);
}

function copiedFrom(target: Target, { copied_from: copied }: Inspected): string[] {
  return copied
    .filter(({ path }) => pathsOf(target).some((one) => isWithin(one, path) || isWithin(path, one)))
    .map(({ what, path }) => `${target.path} and the ${what} ${path} overlap`);
}

function shownBy(target: Target, { shown, masked, scratch, confinement }: Inspected): string[] {
  if (confinement === 'none') return [`${target.path}, because nothing is confined`];
  return shown.flatMap(({ source, target: inside }) => {
    const isOwnCopy = isWithin(source, scratch) && !isWithin(target.path, scratch);
    if (isOwnCopy) return [];
    return target.shown_at.flatMap((path) => {
      if (isWithin(source, path)) return [`${target.path} is shown at ${inside}`];
      if (!isWithin(path, source)) return [];
      const at = inside === '/' ? path : inside + path.slice(source === '/' ? 0 : source.length);
      return masked.some((mask) => isWithin(at, mask)) ? [] : [`${target.path} is shown at ${at}`];
    });
  });
}

/** The mask itself can be opened, and holds nothing. */
function openedBy({ path, shown_at: shown }: Target, { attempts, masked }: Inspected): string[] {
  const opened = (attempts?.paths ?? []).filter(({ result, path: at }) => result === 'ok' && !masked.includes(at));
  return opened
    .filter(({ path: at }) => [path, ...shown].some((one) => isWithin(at, one)))
    .map(({ path: at, call }) => `${at} was reached by the engine (${call})`);
}

const pathsOf = ({ path, shown_at: shown }: Target): string[] => [path, ...shown];

/** Searches texts that an engine is given, by kind, for every target. */
export function searchTexts(
  given: Readonly<Record<string, readonly string[]>>,
  targets: readonly Target[],
): NoTargetInspection['searched'] {
  return Object.entries(given).map(([what, texts]) => ({
    what,
    items: texts.length,
    matches: targets
      .filter(({ path, shown_at: shown }) =>
        texts.some((text) => [path, ...shown].some((one) => mentionsPath(text, one))),
      )
      .map(({ path }) => path),
  }));
}

/** Every string in a JSON value, its keys included. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}
