import { dirname, join } from 'node:path';
import { findInstalledProgram } from '../../src/confine/tools/installed-program.ts';
import { npmPackages } from '../../src/confine/tools/npm-packages.fixture.ts';
import { rehearsedPane as claude } from '../../src/engines/claude/pane-rehearsal.fixture.ts';
import { rehearsedPane as codex } from '../../src/engines/codex/pane-rehearsal.fixture.ts';
import { rehearsedPane as gemini } from '../../src/engines/gemini/pane-rehearsal.fixture.ts';
import { rehearsedPane as opencode } from '../../src/engines/opencode/pane-rehearsal.fixture.ts';
import type { PaneRehearsal } from '../../src/engines/pane/rehearsal.fixture.ts';
import { rehearsedPane as pi } from '../../src/engines/pi/pane-rehearsal.fixture.ts';
import { rehearsedPane as qwen } from '../../src/engines/qwen/pane-rehearsal.fixture.ts';

export const PROGRAMS: readonly PaneRehearsal[] = [claude, codex, pi, opencode, qwen, gemini];

/** The directory of a program: the one on PATH, else the version that the tests install. Null: it is absent. */
export async function dirOfProgram({ agent: { name, pinned } }: PaneRehearsal): Promise<string | null> {
  const installed = findInstalledProgram(name, process.env);
  if (installed !== null) return dirname(installed);
  const packages = pinned === undefined ? null : await npmPackages(pinned.package, pinned.version);
  return packages === null ? null : join(packages, '.bin');
}
