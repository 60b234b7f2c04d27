import type { Ecosystem } from '../facts.ts';
import { parentOf } from '../path-parts.ts';
import { C_SETTINGS } from './settings/c.ts';
import { CACHE_FILES } from './caches.ts';
import { DEPENDENCY_LISTS, MANIFEST_NAMES } from './dependencies.ts';
import { DOCUMENTS, STYLE_SETTINGS } from './documents.ts';
import { GO_SETTINGS } from './settings/go.ts';
import { JAVA_SETTINGS } from './settings/java.ts';
import { JAVASCRIPT_SETTINGS } from './settings/javascript.ts';
import { GENERAL_SETTINGS, OTHER_SETTINGS } from './settings/other.ts';
import { AGENT_FILES, AGENT_SETTING, CI_FILES, EDITOR_SETTINGS } from './ci-and-agent-files.ts';
import { PYTHON_SETTINGS } from './settings/python.ts';
import { endsLike, type SettingsRule } from './settings/rule.ts';
import { RUST_SETTINGS } from './settings/rust.ts';
import { SHELL_SETTINGS } from './settings/shell.ts';

const RULES = [
  ...PYTHON_SETTINGS,
  ...JAVASCRIPT_SETTINGS,
  ...GO_SETTINGS,
  ...RUST_SETTINGS,
  ...C_SETTINGS,
  ...JAVA_SETTINGS,
  ...SHELL_SETTINGS,
  ...OTHER_SETTINGS,
  ...GENERAL_SETTINGS,
].map((rule) => ({ rule, matches: endsLike(rule.files) }));

/** The rule that a path falls under, of the ecosystems in use. */
export function settingsRuleOf(path: string, isUsed: (ecosystem: Ecosystem) => boolean): SettingsRule | null {
  const found = RULES.find(
    ({ rule, matches }) => (rule.ecosystem === 'any' || isUsed(rule.ecosystem)) && matches(path),
  );
  return found?.rule ?? null;
}

/** The directory that a settings file speaks for: its own, or the one above a directory of settings such as `.cargo`. */
export function governedDir(path: string): string {
  const settingsDir =
    /(?:^|\/)(?:\.cargo|\.config|\.mvn|\.yarn|\.bundle|\.mise|gradle|buildSrc|nextest|sitecustomize|usercustomize|META-INF)(?:\/|$)/;
  let dir = parentOf(path);
  while (settingsDir.test(dir)) dir = parentOf(dir);
  return dir;
}

export const isCacheFile = endsLike(CACHE_FILES);
export const isManifest = endsLike(MANIFEST_NAMES);
export const isDependencyList = endsLike(DEPENDENCY_LISTS);
export const isDocument = endsLike(DOCUMENTS, { nocase: true });
export const isStyleSettings = endsLike(STYLE_SETTINGS);
/** Without regard to case: such files are also read on systems that do not tell `agents.md` from `AGENTS.md`. */
export const isCiFile = endsLike(CI_FILES, { nocase: true });
export const isAgentFile = endsLike(AGENT_FILES, { nocase: true });

const isEditorSettings = endsLike(EDITOR_SETTINGS, { nocase: true });

/** Whether a change of an editor's settings says something new to an agent in that editor. */
export function setsAgent(path: string, before: string, after: string): boolean {
  if (!isEditorSettings(path)) return false;
  const known = new Set(before.split('\n').map((line) => line.trim()));
  return after.split('\n').some((line) => AGENT_SETTING.test(line) && !known.has(line.trim()));
}
