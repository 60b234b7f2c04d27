import { claudePane } from '../claude/pane.ts';
import { codexPane } from '../codex/pane.ts';
import { commandPane } from '../command/pane.ts';
import { demoPane } from '../demo/pane.ts';
import { geminiPane } from '../gemini/pane.ts';
import { opencodePane } from '../opencode/pane.ts';
import { piPane } from '../pi/pane.ts';
import { qwenPane } from '../qwen/pane.ts';
import type { PaneDefinition } from './definition.ts';

/**
 * Every program that can live in a pane, by the name that agents.toml uses as `backend`. Apart from the list of engines, so that `status` need
 * not load what a run of them needs.
 */
export const PANES: ReadonlyMap<string, PaneDefinition> = new Map([
  ['claude', claudePane],
  ['codex', codexPane],
  ['command', commandPane],
  ['demo', demoPane],
  ['gemini', geminiPane],
  ['opencode', opencodePane],
  ['pi', piPane],
  ['qwen', qwenPane],
]);
