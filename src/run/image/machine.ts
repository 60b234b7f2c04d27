import { runTool } from '../../confine/processes/spawn.ts';
import { findProgram } from '../../confine/tools/find-program.ts';
import { resolveTool, type ToolSearch } from '../../confine/tools/toolchain.ts';
import type { ImageTerms } from '../../task/image/terms.ts';
import { needOfDebianPackage, needOfPythonPackage, type PackageNeed } from './packages.ts';
import type { StepNeeds } from './run-step.ts';

/** What this machine has that an image could install. */
export interface Machine {
  readonly debian: ReadonlySet<string>;
  readonly python: ReadonlySet<string>;
  /** The interpreter that the judge starts. */
  readonly python3: string;
  hasProgram(name: string): boolean;
}

const DISTRIBUTIONS = `import importlib.metadata as m
for d in m.distributions():
    print(d.metadata["Name"])`;

/** Asks the machine once. The Python is the one that the judge starts. */
export async function readMachine(tools: Omit<ToolSearch, 'needsModule'>): Promise<Machine> {
  const python = await resolveTool('python3', { ...tools, needsModule: 'pytest' });
  const [debian, distributions] = await Promise.all([
    runTool('dpkg-query', ['--show', '--showformat', '${db:Status-Abbrev} ${Package}\\n']),
    python === null ? null : runTool(python.command, ['-I', '-c', DISTRIBUTIONS]),
  ]);
  const packages = debian.stdout.split('\n').flatMap((line) => /^ii\s+(\S+)/.exec(line)?.[1] ?? []);
  const names = (distributions?.stdout ?? '').split('\n').filter((name) => name !== '');
  return {
    debian: new Set(packages),
    python: new Set(names.map((name) => name.toLowerCase().replaceAll(/[-_.]+/g, '-'))),
    python3: python?.command ?? '/usr/bin/python3',
    hasProgram: (name) => findProgram(name, `${tools.path}:/usr/local/bin:/usr/bin:/bin`) !== null,
  };
}

/** What stands in for each package, or the first that nothing stands in for. Pure but for the programs it asks for. */
export function standInsOn(
  machine: Machine,
  needs: Pick<StepNeeds, 'debian' | 'python' | 'programs'>,
): { readonly packages: readonly string[]; readonly programs: readonly string[] } | { readonly why: string } {
  const packages: string[] = [];
  const programs = new Set<string>();
  const missing = needs.programs.find((name) => !machine.hasProgram(name));
  if (missing !== undefined) return { why: `this machine has no ${missing}` };
  for (const name of needs.programs) programs.add(name);
  const wanted = [
    ...needs.debian.map((name) => ({ name, need: needOfDebianPackage(name) })),
    ...needs.python.map((name) => ({ name, need: needOfPythonPackage(name) })),
  ];
  for (const { name, need } of wanted) {
    const found = standInOf(machine, need);
    if (found === null) return { why: `it installs ${name}, which this machine does not have` };
    packages.push(`${name}: ${found}`);
    if (need.kind === 'programs') for (const program of need.names) programs.add(program);
  }
  return { packages, programs: [...programs] };
}

function standInOf(machine: Machine, need: PackageNeed): string | null {
  switch (need.kind) {
    case 'none':
      return need.because;
    case 'programs':
      return need.names.every((name) => machine.hasProgram(name)) ? `${need.names.join(', ')} of this machine` : null;
    case 'debian':
      if (machine.debian.has(need.name)) return 'installed here';
      return machine.hasProgram(need.name) ? `${need.name} of this machine` : null;
    case 'python':
      return machine.python.has(need.name) ? 'installed here' : null;
    default:
      return need satisfies never;
  }
}

/** What stood in for an image elsewhere and is not here; null: all of it is. */
export function missingStandIn(
  machine: Machine,
  { programs, packages, installed }: Pick<ImageTerms, 'programs' | 'packages' | 'installed'>,
): string | null {
  const hasDebian = (name: string): boolean => standInOf(machine, needOfDebianPackage(name)) !== null;
  const hasPython = (name: string): boolean => standInOf(machine, needOfPythonPackage(name)) !== null;
  const named = packages.map((text) => text.slice(0, text.indexOf(': ')));
  return (
    programs.find((name) => !machine.hasProgram(name)) ??
    named.find((name) => !hasDebian(name) && !hasPython(name)) ??
    installed.debian.find((name) => !hasDebian(name)) ??
    installed.python.find((name) => !machine.python.has(name)) ??
    null
  );
}

const APT_INSTALL = /\bapt(?:-get)?\b[^\n;&|]*?\binstall\b([^\n;&|]*)/g;

/** The packages that scripts install and that are there: what the installers inside may say yes to. */
export function installedFor(
  machine: Machine,
  scripts: string,
): { readonly debian: string[]; readonly python: string[] } {
  const text = scripts.replaceAll(/\\\n/g, ' ');
  const asked = [...text.matchAll(APT_INSTALL)].flatMap(([, names = '']) => names.split(/\s+/));
  const debian = asked.filter(
    (name) => /^[a-z0-9]/.test(name) && standInOf(machine, needOfDebianPackage(name)) !== null,
  );
  const words = new Set(
    text
      .toLowerCase()
      .split(/[^a-z0-9_.-]+/)
      .map((word) => word.replaceAll(/[-_.]+/g, '-')),
  );
  const python = [...machine.python].filter((name) => words.has(name));
  return { debian: [...new Set(debian)].sort(), python: python.sort() };
}
