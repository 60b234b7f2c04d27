import { languageOf } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { readTestCall } from './javascript-calls.ts';
import { foundAt, type Located, notFound, type TestSources } from './site.ts';
import { HOLE, joinTitles, type Title, titleFits } from './title.ts';

interface Candidate {
  readonly callback: SyntaxNode;
  /** Includes the titles of its groups. */
  readonly title: Title;
  /** Part of its own title is a literal. */
  readonly named: boolean;
}

/** `|project| path::group > group > test (2)`: titles as they were at run time. */
export async function locateJavaScript(id: string, sources: TestSources): Promise<Located> {
  const [, path, wanted] = /^(?:\|[^|]*\| )?(.+?\.\w+)::(.*)$/s.exec(id) ?? [];
  if (path === undefined || wanted === undefined) return notFound('the id names no test');
  const tree = await sources.tree(path);
  const language = languageOf(path);
  if (tree === null || language === null) return notFound('the test file could not be parsed');
  const candidates = candidatesIn(tree.root);
  const [, name = wanted, times = '1'] = /^(.*) \((\d+)\)$/s.exec(wanted) ?? [];
  const written = (title: string): readonly Candidate[] =>
    candidates.filter((candidate) => candidate.title.length === 1 && candidate.title[0] === title);
  const exact = written(wanted)[0] ?? written(name)[Number(times) - 1];
  if (exact !== undefined) return foundAt(path, language, exact.callback);
  const fitting = candidates.filter(
    ({ title }) => title.length > 1 && (titleFits(title, wanted) || titleFits(title, name)),
  );
  const [one, another] = fitting;
  return one === undefined || another !== undefined
    ? notFound(
        one === undefined
          ? 'no test of this title that can be altered is written in the test file'
          : 'several tests can have this title',
      )
    : foundAt(path, language, one.callback, one.named);
}

const known = new WeakMap<SyntaxNode, readonly Candidate[]>();

function candidatesIn(root: SyntaxNode): readonly Candidate[] {
  const candidates = known.get(root) ?? readCandidates(root);
  known.set(root, candidates);
  return candidates;
}

function readCandidates(root: SyntaxNode): readonly Candidate[] {
  return [...root.ofType('call_expression')].flatMap((call) => {
    const made = readTestCall(call);
    if (made?.kind !== 'test') return [];
    const around = [...call.ancestors()].flatMap((above) => {
      const group = readTestCall(above);
      return group !== null && group.callback.start <= call.start && call.end <= group.callback.end ? [group] : [];
    });
    const titles = [...around.toReversed(), made].map(({ title }) => title ?? HOLE);
    const title = titles.reduce((before, after) => joinTitles(before, after, ' > '));
    return [{ callback: made.callback, title, named: /[\p{L}\d]{2}/u.test(made.title?.join(' ') ?? '') }];
  });
}
