import type { EngineDefinition, EngineOptions } from '../../../engines/definition.ts';
import type { AcpProfiles } from '../../../engines/acp/profile.ts';
import { chooseEngine, knownEngine } from '../../../engines/list.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { builtinTasks } from '../../../task/task-directory.ts';
import type { RunSourceFlags } from '../../run-source.ts';

export interface CompareFlags extends RunSourceFlags {
  readonly maxRequests?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly engines?: string | undefined;
  readonly tasks?: string | undefined;
  readonly repeat: number;
  readonly jobs: number;
  readonly model?: readonly string[] | undefined;
  readonly timeout?: number | undefined;
  readonly approvals?: string | undefined;
  readonly resume?: string | true | undefined;
  readonly show?: string | true | undefined;
  readonly json?: true | undefined;
}

/** A column of the comparison. */
export interface EngineChoice {
  readonly label: string;
  readonly engine: string;
  /** As the flag names it; null: none was named. */
  readonly model: string | null;
  readonly options: Readonly<Record<string, string>>;
}

/** The engines to compare; one that is given two models is two columns. */
export function chosenEngines(
  flags: CompareFlags,
  options: EngineOptions,
  profiles: AcpProfiles,
): readonly EngineChoice[] {
  const names = listOf('--engines', flags.engines ?? '');
  const models = (flags.model ?? []).map(modelOf);
  const definitions = names.map((name) => knownEngine(name, profiles));
  const unused = models.find(({ engine }) => !names.includes(engine));
  if (unused !== undefined)
    throw new SeatrialError(
      'usage',
      `--model ${unused.engine}=${unused.model}: ${unused.engine} is not among --engines`,
    );
  refuseStrangeOptions(definitions, options);
  for (const { engine, model } of models)
    chooseEngine(engine, optionsOf(knownEngine(engine, profiles), options), { model }, profiles);
  const budgets = {
    '--max-requests': flags.maxRequests,
    '--max-tokens': flags.maxTokens,
    '--max-cost-usd': flags.maxCostUsd,
  };
  const [first] = definitions;
  if (first !== undefined && definitions.every(({ policy }) => policy.model === null))
    chooseEngine(first.name, optionsOf(first, options), { budgets }, profiles);
  return definitions.flatMap((definition): EngineChoice[] => {
    const { name: engine } = definition;
    const own = optionsOf(definition, options);
    const named = models.filter((one) => one.engine === engine).map(({ model }) => model);
    if (named.length === 0) return [{ label: engine, engine, model: null, options: own }];
    return named.map((model) => ({ label: `${engine} ${model}`, engine, model, options: own }));
  });
}

/** Names of built-in tasks and paths of task directories. Null: a repository is the task. */
export function chosenTasks(flags: CompareFlags): readonly string[] | null {
  if (flags.repo !== undefined && flags.tasks !== undefined)
    throw new SeatrialError('usage', 'give --tasks or --repo, not both');
  if (flags.repo !== undefined) return null;
  if (flags.tasks === undefined)
    throw new SeatrialError(
      'usage',
      'no tasks given; give --tasks all, names of built-in tasks or task directories, or --repo',
    );
  return flags.tasks === 'all' ? builtinTasks() : listOf('--tasks', flags.tasks);
}

function listOf(flag: string, text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new SeatrialError('usage', `${flag} takes names with commas between them, not ${JSON.stringify(text)}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new SeatrialError('usage', `${flag} names ${twice} twice`);
  return names;
}

function modelOf(text: string): { readonly engine: string; readonly model: string } {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new SeatrialError('usage', `--model takes <engine>=<provider>/<model>, not ${JSON.stringify(text)}`);
  return { engine: text.slice(0, at), model: text.slice(at + 1) };
}

function refuseStrangeOptions(engines: readonly EngineDefinition[], options: EngineOptions): void {
  for (const name of Object.keys(options))
    if (!engines.some((engine) => optionNames(engine).includes(name)))
      throw new SeatrialError('usage', `none of the compared engines takes --${name}`);
}

const optionNames = ({ headless }: EngineDefinition): string[] => headless.options.map(({ name }) => name);

function optionsOf(engine: EngineDefinition, options: EngineOptions): Record<string, string> {
  const own = optionNames(engine);
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      value !== undefined && own.includes(name) ? [[name, value]] : [],
    ),
  );
}
