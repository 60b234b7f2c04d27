import type { ApartRequest } from '../apart-verdict.ts';

/** Escape sequences for colours and weights, as sources write them, also with their numbers filled in. */
const STYLE = /(?:\\x1b|\\0?33|\\u001b|\\u\{1b\}|\\e|\u001B)\[(?:[\d;]|\$?\{[^{}\n]*\}|%[ds])*m/giu;

export const plainText = (source: string): string => source.replaceAll(STYLE, '');

/**
 * The bench with a product that styles nothing. A program may well print in bold at a terminal, which a test of its text does not expect.
 * Null: the changed files hold no styles.
 */
export function benchWithoutStyles({
  bench,
  deciding,
  product,
}: Pick<ApartRequest, 'bench' | 'deciding' | 'product'>): ApartRequest['bench'] | null {
  const plain = product.flatMap((path) => {
    const source = deciding.read(path) ?? '';
    const text = plainText(source);
    return text === source ? [] : [[path, text] as const];
  });
  if (plain.length === 0) return null;
  return { run: (run) => bench.run({ ...run, replace: new Map([...plain, ...(run.replace ?? [])]) }) };
}
