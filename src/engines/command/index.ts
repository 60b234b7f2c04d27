import { SeatrialError } from '../../kernel/errors.ts';
import type { EngineDefinition } from '../definition.ts';
import { UNRESTRICTED } from '../policy.ts';
import { commandEngine } from './engine.ts';

/** Any program that edits the workspace, as a shell line. */
export const commandDefinition: EngineDefinition = {
  name: 'command',
  policy: {
    ...UNRESTRICTED,
    model: {
      from: 'flag',
      optional: true,
      wires: ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'],
      provider: null,
      aliases: {},
    },
  },
  identify: null,
  headless: {
    options: [
      { name: 'command', value: 'line', description: 'shell command; reads the instruction from standard input' },
    ],
    configure: ({ command: line }) => {
      if (line === undefined || line.trim() === '')
        throw new SeatrialError('usage', "--engine command needs a shell line: --command '<shell line>'");
      return commandEngine(line);
    },
  },
  reasons: {},
  selfTest: null,
  loops: [],
};
