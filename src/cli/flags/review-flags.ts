import { Option } from '@commander-js/extra-typings';
import { chooseEngine } from '../../engines/list.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Reviewer } from '../../run/request.ts';
import type { Terms } from '../../task/contract.ts';
import { createRunEnvironment, type EnvironmentFlags } from '../environment/run-environment.ts';
import type { Settings } from '../environment/settings.ts';

export interface ReviewFlags {
  readonly review?: string | undefined;
  readonly reviewEngine?: string | undefined;
  readonly reviewModel?: string | undefined;
}

export const reviewOption = () =>
  new Option(
    '--review <command>',
    'shell command that reviews the change before it is judged; exit 0 accepts, 1 rejects (docs/review.md)',
  );

export const reviewEngineOption = () =>
  new Option('--review-engine <name>', 'engine that reviews the change, in a run of its own');

export const reviewModelOption = () =>
  new Option('--review-model <provider/model>', 'model that the reviewing engine asks; it must be admitted');

/** What flags say takes precedence over the task. */
export function withReview(terms: Terms, flags: ReviewFlags): Terms {
  const { review, reviewEngine, reviewModel } = flags;
  const { review_engine: named, ...rest } = terms;
  const engine = reviewEngine ?? (review === undefined ? named : undefined);
  const command = review ?? (reviewEngine === undefined || reviewEngine === 'command' ? terms.review : null);
  if (reviewModel !== undefined && engine === undefined)
    throw new SeatrialError('usage', '--review-model requires --review-engine');
  if (engine !== undefined && engine !== 'command' && command !== null)
    throw new SeatrialError(
      'usage',
      `give a review command or a review engine (${engine}), not both; with --review-engine command, the command is the engine`,
    );
  return { ...rest, review: command, ...(engine === undefined ? {} : { review_engine: engine }) };
}

/** The engine that the terms name as reviewer, in an environment of its own. */
export function reviewerOf(
  terms: Pick<Terms, 'review' | 'review_engine'>,
  { reviewModel }: ReviewFlags,
  settings: Settings,
  flags: Pick<EnvironmentFlags, 'confine' | 'runsDir' | 'workspace'>,
): { readonly reviewer?: Reviewer } {
  const name = terms.review_engine;
  if (name === undefined) return {};
  if (name === 'command' && terms.review === null)
    throw new SeatrialError('usage', "--review-engine command needs a shell line: --review '<command>'");
  const options = name === 'command' && terms.review !== null ? { command: terms.review } : {};
  const engine = chooseEngine(name, options, {}, settings.acpProfiles);
  if (engine.usesOracle) throw new SeatrialError('usage', `${name} only runs oracles; name another --review-engine`);
  const model = reviewModel === undefined ? {} : { model: { engine: name, name: reviewModel } };
  return { reviewer: { engine, environment: createRunEnvironment(settings, { ...flags, ...model }) } };
}
