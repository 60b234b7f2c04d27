import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { TestAwareCode } from './aware.ts';

/** A function that says whether two values of a type are equal. */
interface Equality {
  /** What it is called where it is named; equality if nothing is said. */
  readonly method?: string;
  readonly type: string;
  /** Of the type; null: it is written down elsewhere. */
  readonly fields: readonly string[] | null;
  readonly line: number;
  readonly body: string;
  /** What the two values are called in it. */
  readonly operands: readonly [string, string];
}

const NAMED_EQUAL = /^(?:equals?|is_?equal(?:_?to)?|eq|same)$/i;

/**
 * Equality of a type that compares nothing, or that leaves out some of its fields: tests that compare such values cannot fail by what is
 * left out.
 */
export function lenientEqualities(root: SyntaxNode, language: Language): readonly TestAwareCode[] {
  const found = FINDERS[language]?.(root) ?? [];
  const faults = found.flatMap((one) => {
    const what = faultOf(one);
    return what === null ? [] : [faulty(one.line, one.type, what, one.method)];
  });
  return language === 'python' ? [...faults, ...uncomparedFields(root)] : faults;
}

const faulty = (line: number, type: string, what: string, method = 'equality'): TestAwareCode => ({
  kind: 'assertion',
  line,
  text: `${method} of ${type} ${what}`,
});

/** `sum: int = field(compare=False)` */
function uncomparedFields(root: SyntaxNode): readonly TestAwareCode[] {
  return [...root.ofType('class_definition')].flatMap((one) =>
    (one.child('body')?.parts ?? []).flatMap((member) => {
      const field = /^(\w+)\s*:.*\b(?:compare|eq)\s*=\s*False/s.exec(member.text)?.[1];
      return field === undefined || member.type !== 'expression_statement'
        ? []
        : [faulty(member.line, nameOfNode(one), `leaves out ${field}`)];
    }),
  );
}

/** The type whose equality is looser than it could be, where a line says so of a type that has another one besides. */
export const looserTypeIn = (text: string): string | null => /^equality of (\S+) leaves out/.exec(text)?.[1] ?? null;

function faultOf({ fields, body, operands }: Equality): string | null {
  const uses = operands.map((name) => usesOf(name, body, fields ?? []));
  const isUsed = uses.map(({ fields: read, whole }) => whole || read.length > 0);
  // Two values without parts are equal.
  if (fields?.length === 0) return null;
  if (isUsed.includes(false)) return fields === null && isUsed[1] === true ? null : 'compares nothing';
  if (fields === null || uses.some(({ whole }) => whole)) return null;
  const missing = fields.filter((field) => uses.some(({ fields: read }) => !read.includes(field)));
  return missing.length === 0 ? null : `leaves out ${missing.join(', ')}`;
}

/** Which fields of a value are read; `whole`: something else is done with it, which may look at all of them. */
function usesOf(
  name: string,
  body: string,
  fields: readonly string[],
): { readonly fields: readonly string[]; readonly whole: boolean } {
  if (name === '' || name === '_') return { fields: [], whole: false };
  const found = [
    ...body.matchAll(new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?![\w$])(?:\??\.(#?\w+)(\s*\()?)?`, 'g')),
  ];
  const read = found.flatMap(([, field, call]) => (field === undefined || call !== undefined ? [] : [field]));
  return {
    fields: fields.filter((field) => read.includes(field)),
    whole: found.some(([, field, call]) => field === undefined || call !== undefined || !fields.includes(field)),
  };
}

/** Something else than no, an error, or that it cannot say. */
const saysYes = (method: SyntaxNode): boolean =>
  /\breturn\s+(?!(?:False|false|NotImplemented)\b)/.test(method.child('body')?.text ?? '');

const escaped = (name: string): string => name.replaceAll('$', String.raw`\$`);
const nameOfNode = (node: SyntaxNode | null): string => node?.child('name')?.text ?? '';

function inRust(root: SyntaxNode): readonly Equality[] {
  const structs = new Map([...root.ofType('struct_item')].map((one) => [nameOfNode(one), rustFields(one)]));
  return [...root.ofType('impl_item')].flatMap((one) => {
    if (!/(?:^|::)PartialEq\b/.test(one.child('trait')?.text ?? '')) return [];
    const type = one.child('type')?.text.replace(/<.*$/s, '') ?? '';
    const isOther = /PartialEq\s*<(?!\s*(?:Self|\w*)\s*>)|PartialEq\s*<\s*(?!Self\b)/.test(
      one.child('trait')?.text ?? '',
    );
    const equal = [...one.ofType('function_item')].find((item) => nameOfNode(item) === 'eq');
    const other = equal?.child('parameters')?.parts.find(({ type: kind }) => kind === 'parameter');
    if (equal === undefined) return [];
    return [
      {
        type,
        fields: isOther ? null : (structs.get(type) ?? null),
        line: equal.line,
        body: equal.child('body')?.text ?? '',
        operands: ['self', other?.child('pattern')?.text.replace(/^_\w*$/, '') ?? ''] as const,
      },
    ];
  });
}

function rustFields(struct: SyntaxNode): readonly string[] {
  const named = [...struct.ofType('field_declaration')].map(nameOfNode);
  const tuple = struct.firstOfType('ordered_field_declaration_list');
  if (tuple === null) return named;
  return tuple.parts.filter(({ type }) => !/visibility|attribute/.test(type)).map((_, at) => String(at));
}

function inPython(root: SyntaxNode): readonly Equality[] {
  return [...root.ofType('class_definition')].flatMap((one) => {
    const members = (one.child('body')?.parts ?? []).map((member) => member.child('definition') ?? member);
    const methods = members.filter(({ type }) => type === 'function_definition');
    const asked = methods
      .filter((method) => ASKED_BY_PYTHON.test(nameOfNode(method)) && saysYes(method))
      .map((method) => ({ ...pythonComparison(one, method), method: nameOfNode(method), fields: null }));
    const unequal = methods
      .filter((method) => nameOfNode(method) === '__ne__')
      .map((method) => ({ ...pythonComparison(one, method), method: '__ne__', fields: null }));
    const equal = methods.find((method) => nameOfNode(method) === '__eq__');
    if (equal === undefined) return [...asked, ...unequal];
    const annotated = members.flatMap(({ text }) => /^(\w+)\s*:(?!=)/.exec(text)?.[1] ?? []);
    const set = [...one.text.matchAll(/\bself\.(\w+)\s*(?::[^=\n]+)?=(?!=)/g)].map(([, field = '']) => field);
    const fields = [...new Set([...annotated, ...set])];
    const isOwn = (one.child('superclasses')?.parts ?? []).every(({ text }) => text === 'object');
    return [
      ...asked,
      ...unequal,
      { ...pythonComparison(one, equal), fields: fields.length === 0 && !isOwn ? null : fields },
    ];
  });
}

/** Methods by which a value or a type says what belongs to it. */
const ASKED_BY_PYTHON = /^__(?:contains|subclasshook)__$/;

function pythonComparison(type: SyntaxNode, method: SyntaxNode): Omit<Equality, 'fields'> {
  const [self = '', other = ''] =
    method.child('parameters')?.parts.map(({ text }) => /^\w*/.exec(text)?.[0] ?? '') ?? [];
  return {
    type: nameOfNode(type),
    line: method.line,
    body: method.child('body')?.text ?? '',
    operands: [self, other],
  };
}

function inJavaScript(root: SyntaxNode): readonly Equality[] {
  return [...root.ofType('class_declaration', 'class')].flatMap((one) =>
    [...one.ofType('method_definition')].flatMap((method) => {
      const given = method.child('parameters')?.parts ?? [];
      if (!NAMED_EQUAL.test(nameOfNode(method)) || given.length !== 1) return [];
      const set = [...one.text.matchAll(/\bthis\.(#?\w+)\s*=(?!=)/g)].map(([, field = '']) => field);
      const declared = [...one.ofType('field_definition', 'public_field_definition')].map(
        (field) => (field.child('property') ?? field.child('name'))?.text ?? '',
      );
      const parameters = [...one.ofType('required_parameter')]
        .filter(({ text }) => /^(?:public|private|protected|readonly)\b/.test(text))
        .map((parameter) => parameter.child('pattern')?.text ?? '');
      return [
        {
          type: nameOfNode(one),
          fields: [...new Set([...set, ...declared, ...parameters])].filter((field) => field !== ''),
          line: method.line,
          body: method.child('body')?.text ?? '',
          operands: ['this', /^\w*/.exec(given[0]?.text ?? '')?.[0] ?? ''] as const,
        },
      ];
    }),
  );
}

/** `errors.Is` and `errors.As` ask an error itself. */
const ASKED_BY_ERRORS = /^(?:Is|As)$/;

function inGo(root: SyntaxNode): readonly Equality[] {
  const structs = new Map(
    [...root.ofType('type_spec')].flatMap((one) => {
      const struct = one.child('type');
      if (struct?.type !== 'struct_type') return [];
      const fields = [...struct.ofType('field_declaration')].flatMap((field) => field.childrenBy('name'));
      return [[nameOfNode(one), fields.map(({ text }) => text)] as const];
    }),
  );
  return [...root.ofType('method_declaration')].flatMap((one) => {
    const given = one.child('parameters')?.parts ?? [];
    const name = nameOfNode(one);
    if (given.length !== 1 || one.child('result')?.text !== 'bool') return [];
    const isError = ASKED_BY_ERRORS.test(name) && saysYes(one);
    if (!isError && !NAMED_EQUAL.test(name)) return [];
    const [receiver] = one.child('receiver')?.parts ?? [];
    const type = receiver?.child('type')?.text.replace(/^\*|\[.*$/g, '') ?? '';
    return [
      {
        type,
        ...(isError ? { method: name } : {}),
        // An error may be one of many kinds that have nothing of its fields.
        fields: isError ? null : (structs.get(type) ?? null),
        line: one.line,
        body: one.child('body')?.text ?? '',
        operands: [nameOfNode(receiver ?? null), nameOfNode(given[0] ?? null)] as const,
      },
    ];
  });
}

const FINDERS: Readonly<Partial<Record<Language, (root: SyntaxNode) => readonly Equality[]>>> = {
  rust: inRust,
  python: inPython,
  javascript: inJavaScript,
  typescript: inJavaScript,
  tsx: inJavaScript,
  go: inGo,
};
