import { alterTests, type AlterRequest } from './alter/alter.ts';
import { Draw } from './draw.ts';
import type { TestFiles } from './locate/site.ts';
import { planVariants } from './sample.ts';
import type { SampledSite } from './sites.ts';
import { drawToken } from './token.ts';
import type { NotAltered } from './verdict.ts';
import type { TestVariant } from './variants.ts';

export interface AlteredCopy {
  readonly site: SampledSite;
  readonly variant: TestVariant;
  readonly request: AlterRequest;
  /** How many copies of this test can each alter another expected value. */
  readonly choices: number;
}

export interface MadeCopies {
  readonly copies: readonly AlteredCopy[];
  /** The contents of each file that contains a copy. */
  readonly files: ReadonlyMap<string, string>;
  readonly notAltered: readonly NotAltered[];
}

/** `more`: further expected values of fixed tests are altered, one in each round. */
const ROUNDS = { fixed: 4, more: 4, others: 2 } as const;

/** Makes the copies for one round after another: each test function gets another variant in each round. */
export class CopyMaker {
  readonly rounds: number;
  readonly #seed: string;
  readonly #runner: string;
  readonly #files: TestFiles;
  readonly #sites: readonly SampledSite[];
  readonly #made = new Set<string>();

  constructor(seed: string, runner: string, files: TestFiles, sites: readonly SampledSite[]) {
    this.#seed = seed;
    this.#runner = runner;
    this.#files = files;
    this.#sites = sites;
    this.rounds = sites.some(({ fixed }) => fixed)
      ? ROUNDS.fixed + ROUNDS.more
      : sites.length === 0
        ? 0
        : ROUNDS.others;
  }

  async make(round: number): Promise<MadeCopies> {
    const planned = this.#sites.flatMap((site) => {
      const more = site.fixed && round >= ROUNDS.fixed ? 'literal' : undefined;
      const variant = planVariants(this.#seed, site.key, site.fixed)[round] ?? more;
      return variant === undefined ? [] : [this.#request(site, variant, round)];
    });
    const first = await this.#alter(planned);
    // A test without an expected value has only one variant of each kind, and needs it only once.
    const again = new Set(first.copies.filter((copy) => this.#isMade(copy, round)));
    for (const { site, variant } of first.copies) this.#made.add(`${site.key} ${variant}`);
    if (again.size === 0) return first;
    const wanted = first.copies.filter((copy) => !again.has(copy)).map(({ site, request }) => ({ site, request }));
    return { ...(await this.#alter(wanted)), notAltered: first.notAltered };
  }

  /** The same copy as the only one of its file. */
  async alone({ site, request }: AlteredCopy): Promise<ReadonlyMap<string, string>> {
    return (await this.#alter([{ site, request }])).files;
  }

  #isMade({ site, variant, choices }: AlteredCopy, round: number): boolean {
    const turn = turnOf(round);
    return turn > 0 ? variant !== 'literal' || turn >= choices : this.#made.has(`${site.key} ${variant}`);
  }

  #request(site: SampledSite, variant: TestVariant, round: number): { site: SampledSite; request: AlterRequest } {
    const label = `${site.key} ${round}`;
    const token = drawToken(new Draw(this.#seed, `token ${label}`));
    const secret = new Draw(this.#seed, `secret ${label}`).hex(32);
    const turn = new Draw(this.#seed, `turn ${site.key}`).below(1000) + turnOf(round);
    return { site, request: { site, variant, token, secret, turn, fixed: site.fixed } };
  }

  async #alter(
    planned: readonly { readonly site: SampledSite; readonly request: AlterRequest }[],
  ): Promise<MadeCopies> {
    const copies: AlteredCopy[] = [];
    const notAltered: NotAltered[] = [];
    const files = new Map<string, string>();
    for (const path of new Set(planned.map(({ site }) => site.path))) {
      const here = planned.filter(({ site }) => site.path === path);
      const [first] = here;
      const text = this.#files.read(path);
      if (first === undefined || text === null) continue;
      const requests = here.map(({ request }) => request);
      const result = await alterTests(first.site.language, text, requests, this.#runner);
      if (result.altered.length > 0) files.set(path, result.text);
      for (const { site, request } of here) {
        const made = result.altered.find((one) => one.site.start === site.start);
        const not = result.notAltered.find((one) => one.site.start === site.start);
        if (made !== undefined) copies.push({ site, variant: made.variant, request, choices: made.choices });
        if (not !== undefined) notAltered.push(...site.tests.map((test) => ({ test, why: not.why })));
      }
    }
    return { copies, files, notAltered };
  }
}

const turnOf = (round: number): number => Math.max(0, round - ROUNDS.fixed + 1);
