import { SeatrialError } from '../kernel/errors.ts';
import { caseEngine } from './case/engine.ts';
import { commandEngine } from './command/engine.ts';
import { fakeEngine } from './fake/engine.ts';
import { MISBEHAVIOURS, misbehaviourNamed } from './fake/misbehaviours.ts';
import type { Engine } from './definition.ts';

export const ENGINE_NAMES = ['fake', 'command', 'case'] as const;

export interface EngineChoice {
  readonly engine: string;
  /** For `command`: the shell line. */
  readonly command?: string | undefined;
  /** For `fake`: the name of a misbehaviour. */
  readonly misbehave?: string | undefined;
}

/** The one list of engines: there is no other way to run one. */
export function chooseEngine(choice: EngineChoice): Engine {
  if (choice.command !== undefined && choice.engine !== 'command') {
    throw new SeatrialError('usage', '--command requires --engine command');
  }
  if (choice.misbehave !== undefined && choice.engine !== 'fake') {
    throw new SeatrialError('usage', '--misbehave requires --engine fake');
  }
  switch (choice.engine) {
    case 'fake':
      return fakeEngine(choice.misbehave === undefined ? undefined : requireMisbehaviour(choice.misbehave));
    case 'command':
      if (choice.command === undefined || choice.command.trim() === '') {
        throw new SeatrialError('usage', "--engine command needs a shell line: --command '<shell line>'");
      }
      return commandEngine(choice.command);
    case 'case':
      return caseEngine;
    default:
      throw new SeatrialError(
        'usage',
        `unknown engine ${JSON.stringify(choice.engine)}; the engines are ${ENGINE_NAMES.join(', ')}`,
      );
  }
}

export function requireMisbehaviour(name: string) {
  const found = misbehaviourNamed(name);
  if (found === undefined) {
    throw new SeatrialError(
      'usage',
      `unknown misbehaviour ${JSON.stringify(name)}; the misbehaviours are ${Object.keys(MISBEHAVIOURS).join(', ')}`,
    );
  }
  return found;
}
