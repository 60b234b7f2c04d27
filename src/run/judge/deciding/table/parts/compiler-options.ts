import { isRecord, parseJsonc } from '../../manifest-text.ts';

/** Options that only make the type checker stricter or say where output goes: no test runs differently. */
const CHECKS_ONLY = new Set([
  'strict',
  'strictBindCallApply',
  'strictBuiltinIteratorReturn',
  'strictFunctionTypes',
  'strictNullChecks',
  'strictPropertyInitialization',
  'noErrorTruncation',
  'noFallthroughCasesInSwitch',
  'noImplicitAny',
  'noImplicitOverride',
  'noImplicitReturns',
  'noImplicitThis',
  'noPropertyAccessFromIndexSignature',
  'noUncheckedIndexedAccess',
  'noUncheckedSideEffectImports',
  'noUnusedLocals',
  'noUnusedParameters',
  'exactOptionalPropertyTypes',
  'useUnknownInCatchVariables',
  'allowUnreachableCode',
  'allowUnusedLabels',
  'forceConsistentCasingInFileNames',
  'isolatedDeclarations',
  'skipDefaultLibCheck',
  'skipLibCheck',
  'lib',
  'declaration',
  'declarationDir',
  'declarationMap',
  'pretty',
  'stripInternal',
]);

/** Of a tsconfig.json: everything but the options that change no compiled code. A text that does not parse decides as a whole. */
export function decidingCompilerOptions(text: string): string {
  const parsed = parseJsonc(text);
  if (!isRecord(parsed)) return text;
  const options = parsed['compilerOptions'];
  const kept = isRecord(options)
    ? Object.fromEntries(Object.entries(options).filter(([name]) => !CHECKS_ONLY.has(name)))
    : options;
  return JSON.stringify({ ...parsed, compilerOptions: kept }, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
