import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { Command, Option } from '@commander-js/extra-typings';
import { schemaFault } from '../../evidence/schema/parts.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { modelScript, type ModelScript } from '../../gateway/scripted/schema.ts';
import { startScriptedModel } from '../../gateway/scripted/server.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { handledBy, jsonOption, parseAndRun, wholeNumber } from '../options.ts';
import { print } from '../print.ts';
import { shippedOrOwn } from '../shipped-files.ts';

export function modelServerCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('model').description(
    'A model that answers from a script, to try an agent without a provider.',
  );
  const serve = command
    .command('serve')
    .summary('answer requests from a script until Ctrl-C')
    .description(
      'Answer requests from a script on 127.0.0.1 until Ctrl-C: OpenAI chat and responses, Anthropic messages, Gemini. Any key is accepted.',
    )
    .requiredOption(
      '--script <file>',
      'answers as JSON (schemas/model-script.schema.json), or the name of a script that ships with Seatrial',
    )
    .addOption(new Option('--port <n>', 'port to listen on (default: a free one)').argParser(wholeNumber('--port', 1)))
    .addOption(jsonOption('print {url} as JSON, then one line for each request on standard error'));
  handledBy(serve, (_args, options) => serveModel(options));
  return parseAndRun(command, args);
}

interface Flags {
  readonly script: string;
  readonly port?: number | undefined;
  readonly json?: true | undefined;
}

async function serveModel({ script, port, json }: Flags): Promise<ExitCode> {
  const answers = readScript(script);
  const signal = interruptible();
  const model = await startScriptedModel(answers, {
    ...(port === undefined ? {} : { port }),
    onRequest: ({ path }, name, turn) => {
      const answered = turn === null ? 'no turn of the script fits' : `turn ${turn + 1} of ${answers.turns.length}`;
      process.stderr.write(`${safeLine(`${path}  ${name}  ${answered}`)}\n`);
    },
  }).catch((error: unknown) => {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    throw new SeatrialError('usage', `port ${port} is in use; choose another --port, or none for a free one`);
  });
  print(json, { url: model.url }, () => [
    `OpenAI, Anthropic  ${model.url}`,
    `Gemini             ${model.url}beta`,
    'Ctrl-C ends it.',
  ]);
  if (!signal.aborted) await once(signal, 'abort');
  await model.close();
  return EXIT.pass;
}

function readScript(file: string): ModelScript {
  const read = (): unknown => {
    try {
      return JSON.parse(readFileSync(shippedOrOwn('models', file), 'utf8'));
    } catch (error) {
      throw new SeatrialError('usage', `cannot read the script ${file}: ${messageOf(error)}`);
    }
  };
  const parsed = modelScript.safeParse(read());
  if (parsed.success) return parsed.data;
  throw new SeatrialError(
    'usage',
    `${file} is not a model script: ${schemaFault(parsed.error)}; see schemas/model-script.schema.json`,
  );
}
