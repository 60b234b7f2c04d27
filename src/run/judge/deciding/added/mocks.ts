import { builtinModules } from 'node:module';
import type { AddedContext } from './context.ts';

/**
 * The module that a new file below `__mocks__` would replace in tests of the base. jest uses mocks of packages automatically; for other
 * modules a test must name them.
 */
export function mockedModule(path: string, { base, names }: AddedContext): string | null {
  const [, dir = '', name = ''] = /^(?:(.*)\/)?__mocks__\/(.+?)\.[cm]?[jt]sx?$/.exec(path) ?? [];
  if (name === '' || !base.uses('javascript')) return null;
  const isPackage = base.facts.outside_modules.includes(name) && !builtinModules.includes(name);
  if (isPackage && (base.facts.runner === 'jest' || base.facts.runner === 'script')) return name;
  const [real] = names.get(`script:${dir === '' ? name : `${dir}/${name}`}`) ?? [];
  return isMockedByTest(name, base.collected, base.base.read) ? (real?.path ?? name) : null;
}

const MOCKED = /\.\w*[mM]ock\w*\(\s*["'`]([^"'`\n]+)["'`]/g;

function isMockedByTest(name: string, tests: ReadonlySet<string>, read: (path: string) => string | null): boolean {
  const named = [...tests].flatMap((test) => [...(read(test) ?? '').matchAll(MOCKED)].map(([, module = '']) => module));
  return named.some((module) => {
    const plain = module.replace(/^node:/, '').replace(/\.[cm]?[jt]sx?$/, '');
    return plain === name || plain.endsWith(`/${name}`);
  });
}
