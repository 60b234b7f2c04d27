import { dirOfTest, locateTest } from './locate/locate.ts';
import type { Located, TestSources, TestSite } from './locate/site.ts';
import type { Sample } from './sample.ts';
import type { NotAltered } from './verdict.ts';

/** A test function with the sampled tests that are made from it. */
export interface SampledSite extends TestSite {
  readonly key: string;
  readonly tests: readonly string[];
  readonly fixed: boolean;
}

export async function locateSites(
  runner: string,
  sample: Sample,
  sources: TestSources,
  fileOf: (id: string) => string | null = () => null,
): Promise<{ readonly sites: readonly SampledSite[]; readonly notAltered: readonly NotAltered[] }> {
  const sites = new Map<string, SampledSite>();
  const notAltered: NotAltered[] = [];
  const fixed = new Set(sample.fixed);
  for (const test of [...sample.fixed, ...sample.others]) {
    const located = await locateBelow(dirOfTest(runner, test, fileOf(test)), runner, test, sources);
    if (located.site === null) {
      notAltered.push({ test, why: located.why });
      continue;
    }
    const key = `${located.site.path}:${located.site.start}`;
    const known = sites.get(key);
    sites.set(key, {
      ...located.site,
      key,
      tests: [...(known?.tests ?? []), test],
      fixed: fixed.has(test) || (known?.fixed ?? false),
    });
  }
  const apart = withoutEnclosing([...sites.values()]);
  return { sites: apart.kept, notAltered: [...notAltered, ...apart.notAltered] };
}

/** Ids name files relative to the directory that the runner ran in. */
async function locateBelow(dir: string, runner: string, test: string, sources: TestSources): Promise<Located> {
  const located = await locateTest(runner, test, sources.below(dir));
  if (located.site === null || dir === '') return located;
  return { site: { ...located.site, path: `${dir}/${located.site.path}` } };
}

/** A test fails if one of its nested tests fails, so only one of them can be altered. */
function withoutEnclosing(sites: readonly SampledSite[]): {
  readonly kept: readonly SampledSite[];
  readonly notAltered: readonly NotAltered[];
} {
  const kept: SampledSite[] = [];
  const notAltered: NotAltered[] = [];
  // Fixed tests first, then inner ones, which are shorter.
  const ranked = sites.toSorted((a, b) => Number(b.fixed) - Number(a.fixed) || a.end - a.start - (b.end - b.start));
  for (const site of ranked) {
    const other = kept.find((one) => overlap(one, site));
    if (other === undefined) kept.push(site);
    else
      notAltered.push(
        ...site.tests.map((test) => ({ test, why: `it shares code with ${other.tests[0] ?? 'another test'}` })),
      );
  }
  return { kept, notAltered };
}

function overlap(a: TestSite, b: TestSite): boolean {
  return a.path === b.path && a.start < b.end && b.start < a.end;
}
