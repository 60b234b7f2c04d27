import { parentOf, stemOf } from '../../deciding/path-parts.ts';
import { docstringTests } from '../../inline/python/docstrings.ts';
import type { TestFiles } from '../../must-fail/locate/site.ts';
import { shellQuoted } from '../../sandbox/login-session.ts';
import { parse } from '../../syntax/parse.ts';
import type { ApartForm, PlainTest } from './form.ts';
import { OWN_NAME, programForm, RESULTS_FILE, tokenOf, PROGRAM_DIR } from './program.ts';

/** One line of a session and the output it shows; null: no output. */
type Example = readonly [source: string, shown: string | null];

/** Docstring examples as Python programs that compare values instead of their printed form. Null: an example does more than that. */
export async function doctestForm(tests: readonly PlainTest[], files: TestFiles): Promise<ApartForm | null> {
  const replace = new Map<string, string>();
  const [build, start]: [string[], string[]] = [[], []];
  for (const [at, test] of tests.entries()) {
    const examples = await plainExamples(test.id, files);
    if (examples === null) return null;
    const own = `${OWN_NAME}-${at}.py`;
    const words = [parentOf(test.file), stemOf(test.file), examples, RESULTS_FILE, tokenOf(at)];
    replace.set(own, `GIVEN = ${JSON.stringify(JSON.stringify(words))}\n${PROGRAM}`);
    build.push(`mv ${shellQuoted(own)} ${PROGRAM_DIR}/`);
    start.push(`python3 ${PROGRAM_DIR}/${own}`);
  }
  for (const file of new Set(tests.map((test) => test.file))) replace.set(file, await withoutExamples(file, files));
  return programForm({ tests, replace, remove: [], build, unneeded: [], start });
}

/** Code can read its own documentation: what its examples show is not there. Lines stay where they are. */
async function withoutExamples(file: string, files: TestFiles): Promise<string> {
  const text = files.read(file) ?? '';
  const tree = await parse('python', text);
  const literals = tree === null ? [] : docstringTests(tree.root).map(({ literal }) => literal);
  return literals.reduce((rest, literal) => rest.replace(literal, () => emptied(literal)), text);
}

function emptied(literal: string): string {
  const [, open = '', inner = '', close = ''] = /^([rRuU]?(?:"""|'''|"|'))(.*?)("""|'''|"|')$/s.exec(literal) ?? [];
  let isExample = false;
  const lines = inner.split('\n').map((line) => {
    if (/^\s*>>>/.test(line)) isExample = true;
    else if (line.trim() === '') isExample = false;
    return isExample ? '' : line;
  });
  return `${open}${lines.join('\n')}${close}`;
}

/** Docstrings whose examples only create and show values. */
export async function plainDoctests(ids: readonly string[], files: TestFiles): Promise<readonly PlainTest[]> {
  const found: PlainTest[] = [];
  for (const id of ids) if ((await plainExamples(id, files)) !== null) found.push({ id, file: fileOf(id) });
  return found;
}

const fileOf = (id: string): string => id.split('::', 1)[0] ?? '';

async function plainExamples(id: string, files: TestFiles): Promise<readonly Example[] | null> {
  const file = fileOf(id);
  const module = stemOf(file);
  const text = file.endsWith('.py') ? files.read(file) : null;
  const tree = text === null ? null : await parse('python', text);
  if (tree === null || tree.broken) return null;
  const key = id.slice(file.length + 2 + module.length).replace(/^\./, '');
  const literal = docstringTests(tree.root).find(({ name }) => name === key)?.literal;
  return literal === undefined || UNUSUAL.test(literal) ? null : readExamples(literal.replaceAll(QUOTES, ''));
}

const QUOTES = /^[rRuU]?(?:"""|'''|"|')|(?:"""|'''|"|')$/g;
/** Escapes, directives, errors and printed output. */
const UNUSUAL = /\\|# *doctest:|Traceback|<BLANKLINE>|\bprint\b|\bsys\b|^\s*\.\.\.(?! )\S/m;
const STATEMENT =
  /^(?:\w+(?:\s*,\s*\w+)*\s*=(?!=)|(?:import|from|for|while|if|def|class|with|try|del|assert|raise|async|global)\b|@)/;

function readExamples(docstring: string): readonly Example[] | null {
  const examples: Example[] = [];
  const lines = docstring.split('\n').map((line) => line.trim());
  for (let at = 0; at < lines.length; at += 1) {
    const first = /^>>> (.*)$/.exec(lines[at] ?? '')?.[1];
    if (first === undefined) continue;
    // The indentation that joins the lines of a block is lost here.
    if (lines[at + 1]?.startsWith('...') === true) return null;
    const shown: string[] = [];
    while (/^(?!>>>)\S/.test(lines[at + 1] ?? '')) shown.push(lines[(at += 1)] ?? '');
    if (STATEMENT.test(first) && shown.length > 0) return null;
    examples.push([first, shown.length === 0 ? null : shown.join('\n')]);
  }
  return examples.length === 0 ? null : examples;
}

/** Compares literals by value, whatever their `repr` says; everything else by its printed form. */
const PROGRAM = `import ast, importlib, json, os, sys

folder, module, examples, results, token = json.loads(GIVEN)
sys.path[0] = os.path.join(os.getcwd(), folder)
names = dict(vars(importlib.import_module(module)))


def is_shown(value, text):
    try:
        literal = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return repr(value) == text
    kind = type(literal)
    if isinstance(value, kind):
        return kind.__eq__(value, literal) is True
    return kind is not str and repr(value) == text


def holds(source, text):
    if text is None:
        exec(compile(source, "<stdin>", "exec"), names)
        return True
    return is_shown(eval(compile(source, "<stdin>", "eval"), names), text)


try:
    good = all([holds(*example) for example in examples])
except Exception:
    good = False
with open(results, "a") as file:
    file.write(token + (" ok" if good else " not") + "\\n")
`;
