import { applyEdits, type Edit } from '../../syntax/edits.ts';
import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode, SyntaxTree } from '../../syntax/node.ts';
import { Draw } from '../draw.ts';
import type { TestSite } from '../locate/site.ts';
import { parseTests } from '../parse-tests.ts';
import { type TestVariant, mustFail, withoutLiterals } from '../variants.ts';
import { bashAlterer } from './bash.ts';
import { goAlterer } from './go/go.ts';
import { javascriptAlterer } from './javascript/javascript.ts';
import type { Alterer } from './order.ts';
import { pythonAlterer } from './python/python.ts';
import { rustAlterer } from './rust/rust.ts';

export interface AlterRequest {
  readonly site: TestSite;
  readonly variant: TestVariant;
  /** Part of the failure message. */
  readonly token: string;
  /** Seeds the draws; never appears in the copy. */
  readonly secret: string;
  /** Which of the expected values is altered, counted on beyond the last one. */
  readonly turn: number;
  readonly fixed: boolean;
}

export interface AlteredFile {
  readonly text: string;
  /** Includes the variant that was made: a test without an expected value gets one that needs none. */
  readonly altered: readonly { readonly site: TestSite; readonly variant: TestVariant; readonly choices: number }[];
  readonly notAltered: readonly { readonly site: TestSite; readonly why: string }[];
}

/** A file in which some tests are replaced with altered copies. Sites must not overlap. */
export async function alterTests(
  language: Language,
  text: string,
  requests: readonly AlterRequest[],
  runner: string,
): Promise<AlteredFile> {
  const tree = await parseTests(language, text);
  const alterer = alterers[language];
  if (tree === null || alterer === undefined) {
    const why = tree === null ? 'the test file could not be parsed' : `tests in ${language} are not altered`;
    return { text, altered: [], notAltered: requests.map(({ site }) => ({ site, why })) };
  }
  const made = requests.map((request) => ({
    site: request.site,
    ...alterOne(alterer, language, tree, request, runner),
  }));
  const sound = await withoutBroken(tree, language, made);
  return {
    text: applyAll(text, sound),
    altered: sound.flatMap(({ site, variant, choices }) => (variant === null ? [] : [{ site, variant, choices }])),
    notAltered: made.flatMap((one) => {
      if (one.variant !== null && sound.includes(one)) return [];
      return [{ site: one.site, why: one.variant === null ? CANNOT_ALTER : 'its altered copy would not parse' }];
    }),
  };
}

const CANNOT_ALTER = 'it cannot be altered so that it fails';

interface Made {
  readonly site: TestSite;
  readonly edits: readonly Edit[];
  readonly variant: TestVariant | null;
  /** How many copies of this test can each alter another expected value. */
  readonly choices: number;
}

/** Never run an invalid program: it would fail whatever the test does. */
async function withoutBroken(tree: SyntaxTree, language: Language, made: readonly Made[]): Promise<readonly Made[]> {
  const parses = async (some: readonly Made[]): Promise<boolean> => {
    const copy = await parseTests(language, applyAll(tree.text, some));
    return copy !== null && (!copy.broken || tree.broken);
  };
  if (await parses(made)) return made;
  const sound: Made[] = [];
  for (const one of made) if (await parses([one])) sound.push(one);
  return (await parses(sound)) ? sound : [];
}

function applyAll(text: string, made: readonly Made[]): string {
  return applyEdits(
    text,
    made.flatMap(({ edits }) => edits),
  );
}

const alterers: Readonly<Partial<Record<Language, Alterer>>> = {
  python: pythonAlterer,
  javascript: javascriptAlterer,
  typescript: javascriptAlterer,
  tsx: javascriptAlterer,
  go: goAlterer,
  rust: rustAlterer,
  bash: bashAlterer,
};

function alterOne(
  alterer: Alterer,
  language: Language,
  tree: SyntaxTree,
  { site, variant, token, secret, turn, fixed }: AlterRequest,
  runner: string,
): Omit<Made, 'site'> {
  const test = nodeAt(tree.root, site);
  if (test === null) return { edits: [], variant: null, choices: 0 };
  const order = { fails: mustFail(variant), token, draw: new Draw(secret, 'copy'), turn, fixed, language, runner };
  const spelled = variant === 'literal' || variant === 'respelled' ? alterer.spell(test, order) : null;
  if (spelled !== null) return { edits: spelled, variant, choices: alterer.choices?.(test, order) ?? 1 };
  const wrapped = alterer.wrap(test, order);
  const made = wrapped === null ? null : withoutLiterals(variant);
  return { edits: wrapped ?? [], variant: made, choices: 0 };
}

function nodeAt(root: SyntaxNode, { type, start, end }: TestSite): SyntaxNode | null {
  for (const node of root.walk((below) => below.start <= start && end <= below.end)) {
    if (node.type === type && node.start === start && node.end === end) return node;
  }
  return null;
}
