/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const TAG = /^<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Comments, instructions, literal text. A document type could define entities, and no report has one. */
const SKIPPED = /^(?:<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|[^<]+)/;
const DEEPEST = 50;

/** The root of a document; null: it is not well-formed. Text is left out. */
export function parseXml(text: string): XmlElement | null {
  const root: { name: string; attributes: Map<string, string>; children: XmlElement[] } = element('', new Map());
  const open = [root];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 1_000_000);
    const tag = TAG.exec(rest);
    const skipped = tag === null ? SKIPPED.exec(rest) : null;
    const taken = tag?.[0] ?? skipped?.[0];
    if (taken === undefined) return null;
    at += taken.length;
    if (tag === null) continue;
    const [, closes, name = '', attributes = '', isEmpty] = tag;
    if (closes === '/') {
      if (open.length < 2 || open.pop()?.name !== name) return null;
      continue;
    }
    const next = element(name, readAttributes(attributes));
    open.at(-1)?.children.push(next);
    if (isEmpty !== '/') open.push(next);
    if (open.length > DEEPEST) return null;
  }
  const [only, ...more] = root.children;
  return open.length === 1 && only !== undefined && more.length === 0 ? only : null;
}

function element(
  name: string,
  attributes: Map<string, string>,
): {
  name: string;
  attributes: Map<string, string>;
  children: XmlElement[];
} {
  return { name, attributes, children: [] };
}

function readAttributes(text: string): Map<string, string> {
  return new Map(Array.from(text.matchAll(ATTRIBUTE), ([, name = '', one, two]) => [name, decode(one ?? two ?? '')]));
}

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (name !== undefined) return NAMED[name] ?? all;
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
