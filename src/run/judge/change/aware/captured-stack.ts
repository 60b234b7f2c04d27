const CAPTURED = /\bcaptureStackTrace\s*\(\s*([A-Za-z_$][\w$]*)\b/;
/** Removes lines by number, not by content. */
const CUTS_LINES = /^\s*\.\s*replace\s*\(\s*\/(?:[\^$.+*?()|]|\\[nrsS])*\/[a-z]*\s*,\s*(?:''|""|``)\s*\)/;
const COMPARES = /(?:[=!]==?|[<>]=?|\bin|\bof|\bswitch\s*\()\s*$/;
const COMPARED = /^\s*(?:[=!]==?|[<>]=?|\?\s*\.|\[|\.)/;
const TAKES_ANY = /\b(?:captureStackTrace|endsWith)\s*\(\s*$/;
const ARGUMENT = /(?:[\w$)\]]\s*\(|,)\s*$/;
const CONDITION = /\b(?:if|while)\s*\(\s*$/;

/**
 * Whether a captured stack is used only as the stack of an error. Nothing is searched in it, so the code cannot learn who called it.
 */
export function onlyExtendsErrors(line: string, code: string): boolean {
  const object = CAPTURED.exec(line)?.[1];
  if (object === undefined) return false;
  const stack = String.raw`${escape(object)}\s*\.\s*stack`;
  const named = [
    ...code.matchAll(new RegExp(String.raw`\b(?:const|let|var)\s+([\w$]+)\s*=[^;\n]*\b${stack}\b`, 'g')),
  ].map(([, name = '']) => escape(name));
  return [stack, ...named].every((text) => usesOf(text, code).every(isCarriedOn)) && !passesOn(object, code);
}

const isArgument = (before: string): boolean => ARGUMENT.test(before) && !CONDITION.test(before);
const escape = (name: string): string => name.replaceAll('$', String.raw`\$`);

const usesOf = (text: string, code: string): readonly (readonly [before: string, after: string])[] =>
  [...code.matchAll(new RegExp(String.raw`(?<![\w$]|(?<!\.\.)\.)${text}(?![\w$])`, 'g'))].map(
    (match) => [code.slice(0, match.index), code.slice(match.index + match[0].length)] as const,
  );

function isCarriedOn([before, after]: readonly [string, string]): boolean {
  const cut = CUTS_LINES.exec(after)?.[0].length ?? 0;
  const rest = after.slice(cut);
  return !COMPARES.test(before) && !COMPARED.test(rest) && (TAKES_ANY.test(before) || !isArgument(before));
}

/** The object is passed on, or read under another name. */
const passesOn = (object: string, code: string): boolean =>
  usesOf(escape(object), code).some(
    ([before, after]) =>
      /^\s*(?:\[|\?\.|\.\s*(?!stack\b))/.test(after) ||
      (!/^\s*\./.test(after) &&
        (/[}\w$]\s*=\s*$|\.\.\.\s*$/.test(before) || (isArgument(before) && !TAKES_ANY.test(before)))),
  );
