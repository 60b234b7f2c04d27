import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { signInName } from '../../../evidence/schema/sign-in.ts';
import { wire } from '../../../evidence/schema/exchange.ts';
import { jsonOption, price, wholeNumber } from '../../options.ts';

/** The flags of `seatrial admit source|executable|model|task`, which describe a record. */
export type SourceFlags = ReturnType<ReturnType<typeof sourceCommand>['opts']>;
export type ExecutableFlags = ReturnType<ReturnType<typeof executableCommand>['opts']>;
export type EngineFlags = ReturnType<ReturnType<typeof engineCommand>['opts']>;
export type TaskFlags = ReturnType<ReturnType<typeof taskRecordCommand>['opts']>;
export type ModelFlags = ReturnType<ReturnType<typeof modelCommand>['opts']>;

/** The flags of every record: who admits it, and how. */
export type DecisionFlags = Pick<ModelFlags, 'approver' | 'update' | 'yes' | 'json' | 'acceptTerms'>;

export function sourceCommand() {
  return withDecision(
    new Command('source')
      .summary('record where a program comes from')
      .description('Record where a program comes from. Fetches, builds and executes nothing.')
      .option('--from <file>', 'read the record from a JSON file, or from one that ships with Seatrial, by its name')
      .option('--id <name>', 'name of the source, such as acme-agent')
      .option('--url <url>', 'address of its repository')
      .option('--commit <id>', 'pinned commit (full id)')
      .option('--tag <name>', 'pinned tag')
      .option('--other-id <id=note...>', 'other commits that were seen, each with a note')
      .option('--license <text>', 'note on its license')
      .option('--retrieved <day>', 'day of retrieval, such as 2026-05-31 (default: today)')
      .option('--retrieval-command <line>', 'command that retrieved it (default: git clone <url>)')
      .option('--sha256 <digest>', 'digest of what was retrieved')
      .option('--source-lock <text>', 'other reference that pins its bytes (default: the commit)')
      .option('--mode <text>', 'how it may be executed')
      .option('--boundary <text>', 'what protects the source from being changed')
      .option('--build <line>', 'build command; recorded, never executed')
      .option('--build-output <path>', 'file that the build makes')
      .option('--needs <tools...>', 'programs that the build needs; the record says which of them are installed')
      .option('--discovery-only <why>', 'record that the source was only looked at; admits nothing'),
  );
}

export function executableCommand() {
  return withDecision(
    new Command('executable')
      .summary('admit a program by its digest')
      .description('Admit a program by the digest of its file. Runs it with --help, in a sandbox without network.')
      .argument('<path>')
      .option('--source <id>', 'recorded source that it was built from')
      .option(
        '--source-commit <id>',
        'commit that it was built from (default: of the work tree it is in); needed with --source',
      ),
  );
}

export function modelCommand() {
  return withDecision(
    new Command('model')
      .summary('admit a model')
      .description('Admit a model. Variables are recorded by name, never by value.')
      .option('--from <file>', 'read the record from a JSON file, or from one that ships with Seatrial, by its name')
      .option('--provider <name>', 'provider, such as qwen-local')
      .option('--model <name>', 'model, such as qwen3.6-35b-a3b')
      .option('--runtime-provider <name>', "the engine's own name of the provider, if it differs")
      .option('--runtime-model <name>', "the engine's own name of the model, if it differs")
      .addOption(new Option('--wire <wire>', 'protocol of its endpoint').choices(wire.options))
      .option('--endpoint-variable <NAME>', 'variable with its address, if it has no public one')
      .option('--key-variable <NAME>', 'variable with its key, if it needs one')
      .option('--served-as <names...>', 'names of the model at its endpoint, if they differ; it is asked by the first')
      .option(
        '--max-output-tokens <n>',
        'output tokens that the engine may ask for at once',
        wholeNumber('--max-output-tokens', 1),
      )
      .option('--no-ask', 'do not ask the endpoint how it names the model')
      .option('--helper <model...>', 'further models of the provider that the engine may ask, for titles and summaries')
      .addOption(
        new Option('--login <program>', "use that program's own sign-in instead of a key").choices(signInName.options),
      )
      .addOption(termsOption())
      .option('--input-price <usd>', 'price of a million input tokens', price('--input-price'))
      .option('--output-price <usd>', 'price of a million output tokens', price('--output-price')),
  );
}

export function engineCommand() {
  return withWho(
    new Command('engine')
      .summary('admit an installed agent, and a model for it')
      .description(
        'Admit an agent that is installed on this machine, and a model for it, in one step. Runs the program with --version, in a sandbox without network.',
      )
      .argument('<name>', 'engine, such as claude; `seatrial engines` lists them')
      .requiredOption('--model <provider/model>', "model; the provider may be left out where it is the engine's own")
      .addOption(
        new Option('--wire <wire>', 'protocol of its endpoint, if the provider is not known').choices(wire.options),
      )
      .option('--no-ask', 'do not ask the endpoint how it names the model')
      .option('--helper <model...>', 'further models of the provider that the agent may ask, for titles and summaries')
      .option('--endpoint-variable <NAME>', 'variable with its address, if it has no public one')
      .option('--key-variable <NAME>', "variable with its key (default: the provider's usual one)")
      .option('--login', "use the agent's own sign-in instead of a key (codex, claude, and pi for openai-codex)")
      .addOption(termsOption())
      .option('--input-price <usd>', 'price of a million input tokens', price('--input-price'))
      .option('--output-price <usd>', 'price of a million output tokens', price('--output-price')),
  );
}

const termsOption = () =>
  new Option('--accept-terms', "confirm that you have read the provider's terms on logins; required with --yes");

export function taskRecordCommand() {
  return withDecision(
    new Command('task')
      .summary('admit a task directory as artificial')
      .description('Admit a task directory as artificial, by the digest of all it asks and holds. Runs nothing.')
      .argument('<dir>'),
  );
}

function withDecision<Args extends unknown[], Opts extends OptionValues>(command: Command<Args, Opts>) {
  return withWho(command.option('--engine <name>', 'engine that the record is for; `seatrial engines` lists them'));
}

function withWho<Args extends unknown[], Opts extends OptionValues>(command: Command<Args, Opts>) {
  return command
    .option('--approver <name>', 'who admits it (default: your user name)')
    .option('--update', 'replace an earlier record')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .addOption(jsonOption('print the record as JSON'));
}
