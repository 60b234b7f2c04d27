import pMap from 'p-map';
import { mentionsTimeOrPlace } from '../../apart/test-topics.ts';
import { parentOf } from '../../deciding/path-parts.ts';
import { applyEdits } from '../../syntax/edits.ts';
import type { Language } from '../../syntax/language.ts';
import { Draw } from '../draw.ts';
import { parseTests } from '../parse-tests.ts';
import { AT_ONCE, type MustFailRequest } from '../request.ts';
import type { SampledSite } from '../sites.ts';
import { repeatGo } from './go.ts';
import { repeatJavaScript } from './javascript.ts';
import { repeatPython } from './python.ts';
import type { Repeated, Repeater, Repetition } from './repetition.ts';
import { repeatRust } from './rust.ts';

const REPEATERS: Readonly<Partial<Record<Language, Repeater>>> = {
  python: repeatPython,
  javascript: repeatJavaScript,
  typescript: repeatJavaScript,
  tsx: repeatJavaScript,
  go: repeatGo,
  rust: repeatRust,
};

const MAX_CALLS = 5000;
/** The time for all tests together, and the minimum for each. */
const ALL_MS = 2000;
const MIN_MS = 100;

/** Each costs a run, and one is enough to show that something is wrong. */
const MAX_ALONE = 6;

/** Results of such code change with the number of calls, or at random. */
const VARIES_BY_CALLS =
  /(?<![a-z])(?:rand|limit|quota|pool|capacit|exhaust|retr[yi]|thrott|budget|uniq|next|seq|count|uuid|nonce|shuffl|token|stat|leak|max)|Rand|Limit|Quota|Pool|Capacit|Exhaust|Retr[yi]|Thrott|Budget|Uniq|Next|Seq|Count|Uuid|UUID|Nonce|Shuffl|Token|Stats|Leak|Max/;

/**
 * Fixed tests whose body passes three times in one process and then fails, or fails once a clock is set ahead: the code works only for
 * as long as a normal test run takes.
 */
export async function findTestsThatStopPassing(
  request: MustFailRequest,
  sites: readonly SampledSite[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const due = sites.filter((site) => site.fixed && site.certain && !VARIES_BY_CALLS.test(textOf(request, site)));
  const first = await failing(request, due, MAX_CALLS, timeoutMs);
  if (first.length === 0) return [];
  // A file that is no longer a valid program fails whatever its tests do.
  const broken = await failing(request, first, 1, timeoutMs);
  const doubtful = first.filter((site) => !broken.includes(site));
  const some = new Draw(request.seed, 'repeated alone').shuffled(doubtful).slice(0, MAX_ALONE);
  // Tests that share something may fail because another one was repeated: each is repeated as the only one.
  const alone = await pMap(some, (site) => failing(request, [site], MAX_CALLS, timeoutMs), { concurrency: AT_ONCE });
  return alone.flat().flatMap(({ tests }) => tests);
}

const textOf = ({ files }: MustFailRequest, { path, start, end, tests }: SampledSite): string =>
  `${(files.read(path) ?? '').slice(start, end)} ${tests.join(' ')}`;

/** The sites with a failing test. */
async function failing(
  request: MustFailRequest,
  sites: readonly SampledSite[],
  calls: number,
  timeoutMs: number,
): Promise<readonly SampledSite[]> {
  const { made, files } = await repeatAll(request, sites, calls);
  if (made.length === 0) return [];
  const outcomes = await request.run({
    files,
    ids: made.flatMap(({ tests }) => tests),
    timeoutMs: timeoutMs + ALL_MS,
  });
  return made.filter(({ tests }) => tests.some((test) => outcomes.get(test) === 'failed'));
}

async function repeatAll(
  request: MustFailRequest,
  sites: readonly SampledSite[],
  calls: number,
): Promise<{ readonly made: readonly SampledSite[]; readonly files: ReadonlyMap<string, string> }> {
  const made: SampledSite[] = [];
  const files = new Map<string, string>();
  for (const path of new Set(sites.map((site) => site.path))) {
    const text = request.files.read(path) ?? '';
    const here = sites.filter((site) => site.path === path);
    const tree = await parseTests(here[0]?.language ?? 'python', text);
    if (tree === null) continue;
    const repeated = here.flatMap((site) => {
      const test = [...tree.root.walk()].find(
        ({ type, start, end }) => type === site.type && start === site.start && end === site.end,
      );
      const one = test === undefined ? null : REPEATERS[site.language]?.(test, repetitionOf(site), request.runner);
      return one === null || one === undefined ? [] : [{ site, ...one }];
    });
    const altered = applyEdits(
      text,
      repeated.flatMap(({ edits }) => edits),
    );
    const copy = await parseTests(here[0]?.language ?? 'python', altered);
    if (repeated.length === 0 || copy === null || (copy.broken && !tree.broken)) continue;
    files.set(path, altered);
    for (const { site, beside } of repeated) {
      made.push(site);
      lay(path, beside);
    }
  }
  return { made, files };

  function repetitionOf(site: SampledSite): Repetition {
    return {
      name: `again${new Draw(request.seed, `again ${parentOf(site.path)}`).hex(8)}`,
      calls,
      milliseconds: Math.max(MIN_MS, Math.round(ALL_MS / sites.length)),
      later: !mentionsTimeOrPlace(request.files.read(site.path) ?? ''),
    };
  }

  function lay(path: string, beside: Repeated['beside']): void {
    if (beside !== undefined) files.set([parentOf(path), beside[0]].filter((part) => part !== '').join('/'), beside[1]);
  }
}
