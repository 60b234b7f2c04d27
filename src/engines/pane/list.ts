import { commandPane } from '../command/pane.ts';
import { demoPane } from '../demo/pane.ts';
import type { PaneDefinition } from './definition.ts';

/**
 * Every program that can live in a pane, by the name that agents.toml uses as `backend`. Apart from the list of engines, so that `status` need
 * not load what a run of them needs.
 */
export const PANES: ReadonlyMap<string, PaneDefinition> = new Map([
  ['command', commandPane],
  ['demo', demoPane],
]);
