import { type BaseContext, isNearProduct } from './context.ts';
import type { WhyCode } from './decision.ts';
import { liesBelow, nameOf, parentOf, stemOf } from './path-parts.ts';
import { inTestDir, isSupportName } from './test-names.ts';

/**
 * Whether data that the run read belongs to the product or to the tests: decided by which sources name it, or else by its location,
 * since imports do not lead to data. In a tree without product code, the tests are about its data.
 */
export function dataStanding(
  path: string,
  context: BaseContext,
): Extract<WhyCode, 'product_data' | 'named_by_both' | 'read_by_run'> {
  const isPlain = !isSupportName(path) && !isDemandName(path) && !inTestDir(path);
  if (isPlain && ![...context.product.roles.values()].some(({ kind }) => kind === 'product')) return 'product_data';
  const { product, tests } = namingSources(context);
  if (isPlain && isQuoted(nameOf(path), product, context)) return 'product_data';
  for (const name of [nameOf(path), nameOf(parentOf(path))].filter((one) => one.length > 1)) {
    const inProduct = isNamed(name, product, context);
    const inTests = isNamed(name, tests, context);
    if (inProduct && inTests) return 'named_by_both';
    if (inProduct) return 'product_data';
    if (inTests) return 'read_by_run';
  }
  return isNearProduct(path, context) && !inTestDir(path) ? 'product_data' : 'read_by_run';
}

interface NamingSources {
  readonly product: readonly string[];
  readonly tests: readonly string[];
}

function namingSources(context: BaseContext): NamingSources {
  const { product, collected, read, starts, ecosystem } = context;
  const isProduct = (path: string): boolean => product.roles.get(path)?.kind === 'product' && !starts.has(path);
  const sources = new Set([...product.roles.keys(), ...collected, ...read, ...starts]);
  const named = [...sources].filter((path) => ecosystem(path) !== null);
  const sorted = {
    product: named.filter((path) => isProduct(path) && (!collected.has(path) || ecosystem(path) === 'rust')),
    tests: named.filter((path) => !isProduct(path)),
  };
  const scripts = sorted.tests.filter((path) => writesProduct(path, sorted, context));
  return {
    product: [...sorted.product, ...scripts],
    tests: sorted.tests.filter((path) => !scripts.includes(path)),
  };
}

/** A build script of Cargo whose output only product code includes. One that writes tests reads what they demand. */
function writesProduct(path: string, { product, tests }: NamingSources, { base }: BaseContext): boolean {
  if (nameOf(path) !== 'build.rs' || /#\[\s*test\b|\bassert/.test(base.read(path) ?? '')) return false;
  const dir = parentOf(path);
  const includes = (one: string): boolean =>
    one !== path && liesBelow(one, dir) && /\bOUT_DIR\b/.test(base.read(one) ?? '');
  return product.some(includes) && !tests.some((one) => nameOf(one) !== 'build.rs' && includes(one));
}

/** Names of files that say what tests demand, besides those of test support in general. */
const isDemandName = (path: string): boolean =>
  /(?:^|[-_.])(?:cases?|want(?:ed)?|expect(?:ed|ations?)?|golden|reference|baseline|oracle|asserts?)(?:$|[-_.])/i.test(
    stemOf(path),
  );

/** Whether code contains the file name in quotes, as it does to open it. */
function isQuoted(name: string, sources: readonly string[], { base }: BaseContext): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(["'\x60])(?:[\w.-]*/)*${escaped}\1`);
  return sources.some((path) => pattern.test(base.read(path) ?? ''));
}

function isNamed(name: string, sources: readonly string[], { base }: BaseContext): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`["'\x60/\s]${escaped}(?=["'\x60/\s]|$)`, 'm');
  return sources.some((path) => pattern.test(base.read(path) ?? ''));
}
