import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type * as z from 'zod/mini';
import { SeatrialError } from '../../kernel/errors.ts';
import { parseTomlText, readText, schemaFaults } from '../../task/toml/parse-toml.ts';
import { positionInToml, type TomlPath } from '../../task/toml/toml-positions.ts';
import { fleetFile, fleetProject } from './schema.ts';

/** A project as fleet.toml names it. Paths are absolute. */
export interface FleetEntry {
  /** Place in the file, from 0. */
  readonly index: number;
  readonly name: string;
  readonly dir: string;
  /** URL or path to clone `dir` from; null: the directory is simply there. */
  readonly repo: string | null;
  readonly enabled: boolean;
  readonly pin: string | null;
}

/** What is wrong at a key of fleet.toml. */
export interface FleetFault {
  readonly at: TomlPath;
  readonly text: string;
}

export interface FleetText {
  readonly file: string;
  readonly text: string;
  /** Those without a fault of their own. */
  readonly entries: readonly FleetEntry[];
  readonly faults: readonly FleetFault[];
}

const FLEET_FILE = 'fleet.toml';

/** The nearest fleet.toml upwards, or the named one. */
export function findFleet(cwd: string, named: string | undefined): string {
  if (named !== undefined) return resolve(cwd, named);
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const file = join(dir, FLEET_FILE);
    if (existsSync(file)) return file;
    if (dir === dirname(dir))
      throw new SeatrialError(
        'usage',
        `there is no ${FLEET_FILE} in ${resolve(cwd)} or above; create one with \`seatrial fleet add <dir>\``,
      );
  }
}

/** Reads fleet.toml with all faults of the file itself. Throws only if it cannot be read as TOML. Writes nothing. */
export function readFleet(file: string): FleetText {
  const unreadable: string[] = [];
  const text = readText(file, unreadable);
  if (text === null) throw new SeatrialError('usage', `${dirname(file)}: ${unreadable.join('; ')}`);
  return fleetOf(file, text);
}

function fleetOf(file: string, text: string): FleetText {
  const unreadable: string[] = [];
  const value = parseTomlText(text, basename(file), unreadable);
  if (value === null) throw new SeatrialError('usage', `${dirname(file)}: ${unreadable.join('; ')}`);
  const parsed = fleetFile.safeParse(value);
  const shape: FleetFault[] = parsed.success
    ? []
    : schemaFaults(parsed.error).map(({ path, text: what }) => ({ at: path, text: what }));
  const listed = 'projects' in value && Array.isArray(value.projects) ? value.projects : [];
  const sound = listed.flatMap((one: unknown, index) => {
    const entry = fleetProject.safeParse(one);
    return entry.success ? [{ index, entry: entry.data }] : [];
  });
  const places = sound.flatMap(({ index, entry }) => placeFaults(index, entry));
  const faulty = new Set(places.map(({ at }) => at[1]));
  const entries = sound
    .filter(({ index }) => !faulty.has(index))
    .map(({ index, entry }) => entryOf(dirname(file), index, entry));
  return { file, text, entries, faults: [...shape, ...places, ...nameFaults(entries)] };
}

type Entry = z.infer<typeof fleetProject>;

function placeFaults(index: number, { name, path, repo }: Entry): FleetFault[] {
  if (path === undefined && repo === undefined)
    return [{ at: ['projects', index], text: `project ${name} has neither \`path\` nor \`repo\`; set one of them` }];
  if (path !== undefined && repo !== undefined)
    return [
      { at: ['projects', index, 'repo'], text: `project ${name} has both \`path\` and \`repo\`; keep one of them` },
    ];
  return [];
}

function nameFaults(entries: readonly FleetEntry[]): FleetFault[] {
  return entries.flatMap(({ name, index }) =>
    entries.some((other) => other.name === name && other.index < index)
      ? [{ at: ['projects', index, 'name'], text: `project name ${name} is used twice; names must be unique` }]
      : [],
  );
}

function entryOf(dir: string, index: number, { name, path, repo, enabled, pin }: Entry): FleetEntry {
  return {
    index,
    name,
    dir: resolve(dir, path ?? join('projects', name)),
    repo: repo ?? null,
    enabled: enabled ?? true,
    pin: pin ?? null,
  };
}

/** `line 3, column 1: …` for each fault, in the order of the file. */
export function faultLines(text: string, faults: readonly FleetFault[]): string[] {
  return faults
    .map((fault) => ({ ...fault, place: positionInToml(text, fault.at) }))
    .toSorted((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0))
    .map(({ place, text: what }) => (place === null ? what : `line ${place.line}, column ${place.column}: ${what}`));
}

/** For commands that act on a fleet: a file with faults is refused with all of them. */
export function loadFleet(file: string): FleetText {
  return withoutFaults(readFleet(file));
}

/** The same of a text that is about to be written to `file`. */
export function acceptFleetText(file: string, text: string): FleetText {
  return withoutFaults(fleetOf(file, text));
}

function withoutFaults(fleet: FleetText): FleetText {
  if (fleet.faults.length === 0) return fleet;
  const lines = faultLines(fleet.text, fleet.faults);
  throw new SeatrialError(
    'usage',
    `${fleet.file} has ${lines.length === 1 ? 'a fault' : `${lines.length} faults`}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}

/** The named projects, or all. */
export function chosenEntries({ entries, file }: FleetText, names: readonly string[]): readonly FleetEntry[] {
  if (names.length === 0) return entries;
  return names.map((name) => {
    const entry = entries.find((one) => one.name === name);
    if (entry !== undefined) return entry;
    throw new SeatrialError(
      'usage',
      `there is no project ${JSON.stringify(name)} in ${file}; the projects are ${entries.map((one) => one.name).join(', ')}`,
    );
  });
}
