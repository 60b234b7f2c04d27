import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { merge, plainToml } from './merge.fixture.ts';
import { words } from './rule.ts';

/** Written down a second time on purpose: a key that the rules let in by accident shows here. */
const PATCH_HAS_A_VOTE = new Set(
  words(`
    version description keywords homepage bugs license licenses author contributors maintainers funding repository
    files man sideEffects main module exports types typings typesVersions unpkg jsdelivr esnext es2015 browser bin
    scripts dependencies optionalDependencies peerDependencies peerDependenciesMeta
  `),
);
const KEYS = ['name', 'type', 'imports', 'jest', 'devDependencies', '__proto__', 'toString', ...PATCH_HAS_A_VOTE];
const anyPackage = fc.dictionary(
  fc.oneof(fc.constantFrom(...KEYS), fc.string()),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(fc.constantFrom('test', 'pretest', 'x', 'mocha', 'ms', './a', '__proto__'), fc.string()),
  ),
);

const merged = (base: object, patch: object | string): string =>
  merge('package.json', JSON.stringify(base), typeof patch === 'string' ? patch : JSON.stringify(patch)).text ?? '';

test('a manifest merged with itself is itself, byte for byte', () => {
  fc.assert(
    fc.property(anyPackage, (base) => {
      expect(merged(base, JSON.stringify(base, null, 4))).toBe(JSON.stringify(base));
    }),
  );
});

test('merging twice changes nothing more', () => {
  fc.assert(
    fc.property(anyPackage, anyPackage, (base, patch) => {
      const once = merged(base, patch);
      expect(JSON.parse(merged(base, once))).toEqual(JSON.parse(once));
    }),
  );
});

test('whatever a patch contains, every key that the product does not need has the base’s value', () => {
  const others = (text: string): ReadonlyMap<string, unknown> =>
    new Map(Object.entries(JSON.parse(text) as object).filter(([key]) => !PATCH_HAS_A_VOTE.has(key)));
  fc.assert(
    fc.property(anyPackage, anyPackage, (base, patch) => {
      expect(others(merged(base, patch))).toEqual(others(JSON.stringify(base)));
    }),
  );
});

test('whatever a patch contains, scripts of the base stay and get no new hooks', () => {
  const scripts = fc.dictionary(
    fc.constantFrom('test', 'pretest', 'a', 'prea', 'posta', 'b:x', 'preb:x'),
    fc.constantFrom('x', 'npm run a', 'run-s b:*'),
  );
  fc.assert(
    fc.property(scripts, scripts, (base, patch) => {
      const result = JSON.parse(merged({ scripts: base }, { scripts: patch })) as { scripts?: Record<string, string> };
      const kept = result.scripts ?? {};
      expect(kept).toEqual({ ...kept, ...base });
      const hooks = Object.keys(kept).filter((name) => {
        const hooked = /^(?:pre|post)(.*)$/.exec(name)?.[1];
        return hooked !== undefined && (hooked === 'test' || Object.hasOwn(base, hooked));
      });
      expect(Object.keys(base)).toEqual(expect.arrayContaining(hooks));
    }),
  );
});

test('whatever a patch contains, a crate is built and tested as the base says', () => {
  const value = fc.oneof(fc.string(), fc.boolean(), fc.constant({ path: 'x' }));
  const anyCrate = fc.dictionary(
    fc.constantFrom('package', 'dependencies', 'dev-dependencies', 'patch', 'profile', 'lib', 'lints', 'x'),
    fc.dictionary(fc.constantFrom('name', 'build', 'path', 'harness', 'version', 'proptest', 'ms'), value),
  );
  fc.assert(
    fc.property(anyCrate, anyCrate, (base, patch) => {
      const ours = plainToml(stringify(base));
      const result = plainToml(merge('Cargo.toml', stringify(base), stringify(patch)).text ?? '');
      for (const key of ['dev-dependencies', 'patch', 'profile', 'lints', 'x']) expect(result[key]).toEqual(ours[key]);
      for (const key of ['name', 'build', 'path', 'harness']) {
        expect(result['package']?.[key]).toEqual(ours['package']?.[key]);
        expect(result['lib']?.[key]).toEqual(ours['lib']?.[key]);
      }
      expect([ours['dependencies']?.['proptest'], ours['dev-dependencies']?.['proptest']]).toContainEqual(
        result['dependencies']?.['proptest'],
      );
    }),
  );
});
