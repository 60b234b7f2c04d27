import { expect } from 'vitest';
import type { TestRecord } from '../../../evidence/schema/report.ts';
import { judgeCopies } from '../judge-copies.fixture.ts';
import type { JudgeRequest } from '../types.ts';
import { alterTests } from './alter/alter.ts';
import { Draw } from './draw.ts';
import { locateTest } from './locate/locate.ts';
import { TestSources, type TestSite } from './locate/site.ts';
import { drawToken } from './token.ts';
import type { TestVariant } from './variants.ts';

export interface Suite {
  readonly runner: string;
  readonly command: string;
  readonly tree: Readonly<Record<string, string>>;
  readonly terms?: Partial<JudgeRequest>;
}

export type Outcomes = Readonly<Record<string, TestRecord['outcome']>>;

export async function runSuite({ command, tree, terms = {} }: Suite): Promise<{ outcomes: Outcomes; output: string }> {
  const result = await judgeCopies({ tree, tests: null }, { testCommand: command, isolation: 'in_process', ...terms });
  return { outcomes: Object.fromEntries(result.seen.map(({ id, outcome }) => [id, outcome])), output: result.output };
}

export interface AlteredSuite extends Suite {
  /** By id: the variant that was made. */
  readonly variants: Readonly<Record<string, TestVariant>>;
  /** By id: why there is none. */
  readonly notAltered: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
}

/** A copy of the suite in which each of these tests that can be altered is altered in the same way. */
export async function alterSuite(
  suite: Suite,
  ids: readonly string[],
  variant: TestVariant,
  seed = 'a',
): Promise<AlteredSuite> {
  const sources = new TestSources({ paths: Object.keys(suite.tree), read: (path) => suite.tree[path] ?? null });
  const notAltered: Record<string, string> = {};
  const variants: Record<string, TestVariant> = {};
  const tokens: Record<string, string> = {};
  const sites = new Map<string, { site: TestSite; ids: string[]; token: string }>();
  for (const id of ids) {
    const located = await locateTest(suite.runner, id, sources);
    if (located.site === null) {
      notAltered[id] = located.why;
      continue;
    }
    const key = keyOf(located.site);
    const known = sites.get(key) ?? { site: located.site, ids: [], token: drawToken(new Draw(seed, key)) };
    known.ids.push(id);
    sites.set(key, known);
  }
  const tree: Record<string, string> = { ...suite.tree };
  for (const path of new Set([...sites.values()].map(({ site }) => site.path))) {
    const here = [...sites.values()].filter(({ site }) => site.path === path);
    const requests = here.map(({ site, token }) => {
      const secret = `${seed}${site.start}`;
      return { site, variant, token, secret, turn: new Draw(secret, 'turn').below(100), fixed: true };
    });
    const result = await alterTests(here[0]!.site.language, suite.tree[path] ?? '', requests, suite.runner);
    tree[path] = result.text;
    for (const one of result.altered) {
      const { ids: tests, token } = sites.get(keyOf(one.site))!;
      for (const id of tests) {
        variants[id] = one.variant;
        tokens[id] = token;
      }
    }
    for (const one of result.notAltered) for (const id of sites.get(keyOf(one.site))!.ids) notAltered[id] = one.why;
  }
  return { ...suite, tree, variants, notAltered, tokens };
}

const keyOf = ({ path, start }: TestSite): string => `${path}:${start}`;

/** Runs the altered copies, checks that all of them answer as given, and returns them for further checks. */
export async function expectAnswers(suite: Suite, ids: readonly string[], variant: TestVariant): Promise<AlteredSuite> {
  const altered = await alterSuite(suite, ids, variant);
  const { outcomes, output } = await runSuite(altered);
  const demanded = variant === 'throw' || variant === 'literal' ? 'failed' : 'passed';
  const wanted = Object.fromEntries(Object.keys(altered.variants).map((id) => [id, demanded]));
  const answered = Object.fromEntries(
    Object.keys(altered.variants).map((id) => [id, outcomes[id] === 'error' ? 'failed' : outcomes[id]]),
  );
  expect(answered, `${output}\n${Object.values(altered.tree).join('\n----\n')}`).toEqual(wanted);
  const silent = Object.keys(altered.tokens).filter((id) => !output.includes(altered.tokens[id] ?? ''));
  expect(variant === 'throw' ? silent : [], output).toEqual([]);
  return altered;
}
