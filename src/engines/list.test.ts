import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REASONS } from '../evidence/reasons/catalogue.ts';
import { WIRES } from '../gateway/wires/list.ts';
import { chooseEngine, ENGINES } from './list.ts';

const SRC = join(import.meta.dirname, '..');

test('no two engines share a name, an option, a suite or a loop', () => {
  const names = ENGINES.flatMap(({ name, headless, selfTest, loops }) => [
    `engine ${name}`,
    ...headless.options.map((option) => `--${option.name}`),
    ...(selfTest?.suites ?? []).map((suite) => `suite ${suite.name}`),
    ...loops.map((loop) => `loop ${loop.name}`),
  ]);
  expect(new Set(names).size).toBe(names.length);
});

test('an option of one engine is refused for every other', () => {
  for (const { headless, name } of ENGINES)
    for (const option of headless.options)
      for (const other of ENGINES.filter((engine) => engine.name !== name))
        expect(() => chooseEngine(other.name, { [option.name]: 'x' })).toThrow(
          `--${option.name} requires --engine ${name}`,
        );
});

describe.each(ENGINES)('$name', ({ name, policy, reasons, selfTest, identify }) => {
  test('its own reasons have codes that nothing else has', () => {
    const others = ENGINES.filter((engine) => engine.name !== name).flatMap((engine) => Object.keys(engine.reasons));
    expect(Object.keys(reasons).filter((code) => code in REASONS || others.includes(code))).toEqual([]);
  });

  test('it can identify its program, if it has one', () => {
    expect(identify === null).toBe(policy.executable === null);
  });

  test('the suite that earns its first stage exists', () => {
    if (policy.stage === null) return;
    expect(selfTest?.suites.find(({ stage }) => stage === 1)?.name).toBe(policy.stage.earnedBy);
  });

  test('every suite has scenarios', async () => {
    const loaded = await selfTest?.load();
    for (const suite of selfTest?.suites ?? []) expect(loaded?.scenarios[suite.name]?.length).toBeGreaterThan(0);
  });

  test('no other product file names it, if it has a program of its own', () => {
    if (policy.executable === null || name in WIRES) return;
    const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    const gated = String.raw`|\b${title}\b|[_]${name.toUpperCase()}_|'${name}-`;
    const named = new RegExp(`(?<!case )'${name}'${policy.stage === null ? '' : gated}`);
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
      .filter((file) => !/^engines\/(?:pane\/)?list\.ts|\/suites\//.test(file))
      // Profiles are data about programs.
      .filter((file) => file !== 'engines/acp/profiles.ts')
      // Whose sign-in is used is a table of its own.
      .filter((file) => file !== 'evidence/schema/sign-in.ts' && !file.startsWith('gateway/sign-in/'))
      .filter((file) => !file.startsWith(`engines/${name}/`) && !file.includes('/simulator/'));
    expect(files.filter((file) => named.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([]);
  });
});
