import { expect, test } from 'vitest';
import { keyCommand } from '../commands/key.ts';
import { helpOf } from './help.ts';

test.each([
  [['extra'], '`seatrial key` has no subcommand "extra"; see `seatrial help key`'],
  [['show', 'extra'], '`seatrial key show` has no subcommand "extra"; see `seatrial help key show`'],
])('help of what a command lacks is a usage error: %j', async (subcommands, message) => {
  await expect(helpOf('key', keyCommand, subcommands)).rejects.toThrow(message);
});
