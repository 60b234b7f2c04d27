import { diagnoseAgent } from '../agent/diagnose.ts';
import { agentEnvironment, modelEnvironment } from '../environment.ts';
import type { Engine } from '../definition.ts';

/**
 * Runs a shell line with the instruction on standard input. Its output is kept and not interpreted. A model is reached under the variable
 * names that libraries look for.
 */
export function commandEngine(shellLine: string): Engine {
  return {
    name: 'command',
    usesOracle: false,
    shellLine,
    stateDirs: [],
    hides: [],
    launch: (context) => ({
      argv: ['/bin/sh', '-c', shellLine],
      env: { ...agentEnvironment(context), ...(context.model === null ? {} : modelEnvironment(context.model)) },
      stdin: context.contract.instruction,
      files: {},
    }),
    ownLog: () => null,
    claimIn: () => null,
    read: () => [],
    diagnose: diagnoseAgent,
  };
}
