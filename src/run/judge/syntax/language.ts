/** `tsx` is TypeScript with JSX, which reads `<T>x` otherwise. `c` also stands for C++: one grammar reads both. */
export type Language = 'python' | 'javascript' | 'typescript' | 'tsx' | 'go' | 'rust' | 'c' | 'bash';

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  py: 'python',
  pyi: 'python',
  pyw: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  go: 'go',
  rs: 'rust',
  c: 'c',
  h: 'c',
  cc: 'c',
  cpp: 'c',
  cxx: 'c',
  hh: 'c',
  hpp: 'c',
  hxx: 'c',
  sh: 'bash',
  bash: 'bash',
  bats: 'bash',
  ksh: 'bash',
};

const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:python|pypy)[\d.]*$/, 'python'],
  [/^(?:node|nodejs|bun|deno)$/, 'javascript'],
  [/^(?:tsx|ts-node)$/, 'typescript'],
  [/^(?:ba|da|a|k|z)?sh$|^bats$/, 'bash'],
];

/** By the file's extension, else by its `#!` line where the text is given. Null: no grammar reads it. */
export function languageOf(path: string, text = ''): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension] ?? null;
  const interpreter = interpreterOf(text);
  return INTERPRETERS.find(([pattern]) => pattern.test(interpreter))?.[1] ?? null;
}

function interpreterOf(text: string): string {
  const words = /^#!(.*)/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const first =
    names[0] === 'env' ? names.slice(1).find((name) => !name.startsWith('-') && !name.includes('=')) : names[0];
  return first ?? '';
}
