import { type Language, languageOf } from '../syntax/language.ts';
import type { Ecosystem } from './facts.ts';
import { extensionOf } from './path-parts.ts';

const PARSED: Readonly<Record<Language, Ecosystem>> = {
  python: 'python',
  javascript: 'javascript',
  typescript: 'javascript',
  tsx: 'javascript',
  go: 'go',
  rust: 'rust',
  c: 'c',
  bash: 'shell',
};

const OTHER_EXTENSIONS: readonly (readonly [Ecosystem, string])[] = [
  ['python', 'pyx pxd'],
  ['javascript', 'vue svelte astro coffee'],
  ['go', 's'],
  ['c', 'inl ipp tpp m mm cu def'],
  ['java', 'java kt kts scala groovy'],
  ['shell', 'zsh fish'],
  ['other', 'rb php pl pm ex exs lua cs fs swift dart hs ml zig nim cr jl r clj cljs erl d pas f90 awk tcl'],
];
const BY_EXTENSION = new Map(
  OTHER_EXTENSIONS.flatMap(([ecosystem, extensions]) => extensions.split(' ').map((one) => [one, ecosystem] as const)),
);

/** The ecosystem of a source file, by its extension or `#!` line. Null: data, a document or another non-source file. */
export function ecosystemOf(path: string, read: (path: string) => string | null): Ecosystem | null {
  const extension = extensionOf(path);
  const language = languageOf(path, extension === '' ? (read(path) ?? '') : '');
  if (language !== null) return PARSED[language];
  if (extension !== '') return BY_EXTENSION.get(extension) ?? null;
  return /^#!.*\b(?:ruby|perl|php|lua|awk|tclsh|Rscript)\b/.test(read(path) ?? '') ? 'other' : null;
}
