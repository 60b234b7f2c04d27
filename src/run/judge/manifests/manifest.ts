import { cargoEntries } from './dependencies/cargo.ts';
import type { EntryReader } from './dependencies/entry.ts';
import { goEntries } from './dependencies/go.ts';
import { npmEntries } from './dependencies/npm.ts';
import { pyprojectEntries, setupCfgEntries } from './dependencies/python.ts';
import type { Format } from './formats/format.ts';
import { goMod } from './formats/go-mod.ts';
import { goSum } from './formats/go-sum.ts';
import { ini } from './formats/ini.ts';
import { json } from './formats/json.ts';
import { toml } from './formats/toml.ts';
import { cargoRules } from './rules/cargo.ts';
import { goModule, goSums } from './rules/go.ts';
import { packageJson } from './rules/package-json.ts';
import { pyproject } from './rules/pyproject.ts';
import type { RuleMaker } from './rules/rule-maker.ts';
import { setupCfg, toxIni } from './rules/setup-cfg.ts';
import type { PackageEcosystem } from './test-tools.ts';

interface Definition {
  readonly ecosystem: PackageEcosystem;
  readonly format: Format;
  readonly rule: RuleMaker;
  readonly entries: EntryReader;
}

const none: EntryReader = () => [];

/** Files that serve product and tests alike, by name, in any directory. */
export const MANIFESTS = {
  'package.json': { ecosystem: 'npm', format: json, rule: packageJson, entries: npmEntries },
  'pyproject.toml': { ecosystem: 'python', format: toml, rule: pyproject, entries: pyprojectEntries },
  'setup.cfg': { ecosystem: 'python', format: ini, rule: setupCfg, entries: setupCfgEntries },
  'tox.ini': { ecosystem: 'python', format: ini, rule: toxIni, entries: none },
  'Cargo.toml': { ecosystem: 'cargo', format: toml, rule: cargoRules, entries: cargoEntries },
  'go.mod': { ecosystem: 'go', format: goMod, rule: goModule, entries: goEntries },
  'go.sum': { ecosystem: 'go', format: goSum, rule: goSums, entries: none },
} as const satisfies Record<string, Definition>;

export type ManifestKind = keyof typeof MANIFESTS;

/** Null: not a manifest that is merged by key. */
export function manifestKind(path: string): ManifestKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isKind(name) ? name : null;
}

const isKind = (name: string): name is ManifestKind => Object.hasOwn(MANIFESTS, name);
