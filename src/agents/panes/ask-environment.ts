/** Run by the script of a pane: asks for the values that it was offered, and prints them as lines for the shell to evaluate. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { shellWord } from '../lifecycle/script.ts';

const offered = z.record(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)), z.string());

async function ask(socket: string): Promise<void> {
  const values = offered.parse(JSON.parse(await text(connect(socket))));
  for (const [name, value] of Object.entries(values)) process.stdout.write(`export ${name}=${shellWord(value)}\n`);
}

ask(process.argv[2] ?? '').catch(() => {
  process.stderr.write('seatrial: the variables of this agent could not be fetched\n');
  process.exitCode = 1;
});
