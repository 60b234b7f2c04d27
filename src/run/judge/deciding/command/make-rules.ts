export interface TracedMakeRule {
  readonly names: readonly string[];
  /** What follows the colon, variables as they are written. */
  readonly needs: string;
  /** The lines of its recipe, without tabs and the signs that make itself reads. */
  readonly recipe: readonly string[];
}

const RULE = /^([^\s:#=][^:#=\n]*)::?(?!=)([^\n;]*)(?:;([^\n]*))?((?:\n(?:\t[^\n]*|[ \t]*(?=\n)))*)/gm;

/** The rules of a Makefile, in its order. */
export function readMakeRules(text: string): readonly TracedMakeRule[] {
  return [...joinLines(text).matchAll(RULE)].map(([, names = '', needs = '', first = '', rest = '']) => ({
    names: names.trim().split(/\s+/),
    needs: needs.trim(),
    recipe: [first, ...rest.split('\n')]
      .map((line) => line.trim().replace(/^[@+-]+/, ''))
      .filter((line) => line !== ''),
  }));
}

/** The values of a Makefile's variables, `+=` included. */
export function readMakeVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [, name = '', value = ''] of joinLines(text).matchAll(/^ *(?:export +)?([\w.]+)\s*[:+?]*=\s*(.*)$/gm))
    variables.set(name, `${variables.get(name) ?? ''} ${value}`.trim());
  return variables;
}

const joinLines = (text: string): string => text.replaceAll(/\\\r?\n/g, ' ');

/** `$(X)`, `${X}`, `$(X:.c=.o)` replaced by their values; of a function its arguments are left. */
export function expandMakeText(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > 8) return text;
  return text.replaceAll(/\$[({]([^(){}$]*)[)}]/g, (_all, inner: string) => {
    const value = variables.get((inner.split(':')[0] ?? '').trim());
    return value === undefined ? inner.replace(/^\w+\s/, '') : expandMakeText(value, variables, depth + 1);
  });
}
