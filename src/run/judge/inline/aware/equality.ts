import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { TestAwareCode } from './aware.ts';

/** A function that decides whether two values of a type are equal. */
interface Equality {
  /** Its name in messages; absent: equality. */
  readonly method?: string;
  readonly type: string;
  /** The fields of the type; null: defined elsewhere. */
  readonly fields: readonly string[] | null;
  readonly line: number;
  readonly body: string;
  /** The names of the two values in it. */
  readonly operands: readonly [string, string];
}

const NAMED_EQUAL = /^(?:equals?|is_?equal(?:_?to)?|eq|same)$/i;

/**
 * Equalities that compare nothing, or leave out some fields of their type: tests that compare such values cannot fail because of what
 * is left out.
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

/** The type whose equality a line makes looser, if the type also has another equality. */
export const looserTypeIn = (text: string): string | null => /^equality of (\S+) leaves out/.exec(text)?.[1] ?? null;

function faultOf({ fields, body, operands }: Equality): string | null {
  const uses = operands.map((name) => usesOf(name, body, fields ?? []));
  const isUsed = uses.map(({ fields: read, whole }) => whole || read.length > 0);
  // Values of a type without fields are equal.
  if (fields?.length === 0) return null;
  if (isUsed.includes(false)) return fields === null && isUsed[1] === true ? null : 'compares nothing';
  if (fields === null || uses.some(({ whole }) => whole)) return null;
  const missing = fields.filter((field) => uses.some(({ fields: read }) => !read.includes(field)));
  return missing.length === 0 ? null : `leaves out ${missing.join(', ')}`;
}

/** The fields of a value that are read; `whole`: the value is also used otherwise, which may read all of them. */
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

/** Returns something other than false, an error or `NotImplemented`. */
const saysYes = (method: SyntaxNode): boolean => /\breturn\s+(?!(?:False|false|NotImplemented)\b)/.test(bodyOf(method));
const RETURNS = /\b(?:return|yield|await)\b/;

const bodyOf = (method: SyntaxNode): string => method.child('body')?.text ?? '';

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
    // One that returns nothing, as in a stub, makes nothing equal.
    const equal = methods.find((method) => nameOfNode(method) === '__eq__' && RETURNS.test(bodyOf(method)));
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

/** Methods that decide what belongs to a value or type. */
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

/** `errors.Is` and `errors.As` call these methods of the error. */
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
        // An error may match kinds that share none of its fields.
        fields: isError ? null : (structs.get(type) ?? null),
        line: one.line,
        body: one.child('body')?.text ?? '',
        operands: [nameOfNode(receiver ?? null), nameOfNode(given[0] ?? null)] as const,
      },
    ];
  });
}

/** `operator==` of a type, inside of it or beside it: what it is given has to be looked at. */
function inCpp(root: SyntaxNode): readonly Equality[] {
  return [...root.ofType('function_definition')].flatMap((one) => {
    const [declared] = [...(one.child('declarator')?.ofType('function_declarator') ?? [])];
    if (!/^operator\s*[!=]=$/.test(declared?.child('declarator')?.text ?? '')) return [];
    const names = (declared?.child('parameters')?.parts ?? []).map(
      (given) => /(\w+)$/.exec(given.child('declarator')?.text ?? '')?.[1] ?? '',
    );
    const [other = '', last = other] = names;
    return [
      {
        type: declared?.child('parameters')?.text ?? '',
        fields: null,
        line: one.line,
        body: one.child('body')?.text ?? '',
        operands: [other, last] as const,
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
  c: inCpp,
};
