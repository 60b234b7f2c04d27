import { agentEnvironment } from '../environment.ts';
import type { Engine } from '../definition.ts';

/** Any program that edits the workspace: a shell line with the instruction on standard input. Its words are not read. */
export function commandEngine(shellLine: string): Engine {
  return {
    name: 'command',
    usesOracle: false,
    leavings: [],
    hides: [],
    launch: (order) => ({
      argv: ['/bin/sh', '-c', shellLine],
      env: agentEnvironment(order),
      stdin: order.contract.instruction,
      files: {},
    }),
    ownLog: () => null,
    claimIn: () => null,
    read: () => [],
    diagnose: () => [],
  };
}
