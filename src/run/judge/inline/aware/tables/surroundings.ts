import type { Language } from '../../../syntax/language.ts';
import type { TestAwareKind } from '../aware.ts';

type Pattern = readonly [TestAwareKind, RegExp];

const PARTS = String.raw`(?:JSON|Object|Array|String|Number|Boolean|Math|Reflect|Promise|RegExp|Map|Set|Function|Date|assert|expect)`;
/** A literal, whose constructor and prototype are the language's own. */
const VALUE = String.raw`\(?\s*(?:\{\s*\}|\[\s*\]|(["'\x60])\1|\d+)\s*\)?`;
const RUNNERS = String.raw`(?:vitest|jest|mocha|ava|karma|chai|node:test|@vitest\/|@jest\/)`;
const SETTINGS = String.raw`(?:(?:vitest|jest|ava|karma|playwright)\.config\b|\.mocharc\b|pytest\.ini\b|conftest\b)`;

const JAVASCRIPT: readonly Pattern[] = [
  // Runners add global names.
  [
    'environment',
    /\b(?:keys|values|entries|ownKeys|getOwnProperty(?:Names|Symbols|Descriptors))\s*\(\s*(?:globalThis|global)\s*\)|\bfor\s*\(\s*(?:const|let|var)?\s*[\w$]+\s+in\s+(?:globalThis|global)\s*\)/,
  ],
  ['context', /(?<![\w$"'`\])])[\w$]+\s+in\s+(?:globalThis|global)\b|\b(?:globalThis|global)\s*\[\s*(?!["'`])/],
  // They also replace consoles and clocks.
  [
    'environment',
    /\bconsole\s*\.\s*constructor\b|\b(?:set(?:Timeout|Interval|Immediate)|queueMicrotask|Date|fetch|console\s*\.\s*\w+)\s*\.\s*toString\s*\(|\btoString\s*\.\s*call\s*\(\s*(?:set(?:Timeout|Interval|Immediate)|require|console\s*\.\s*\w+|Date|fetch)\s*\)/,
  ],
  [
    'environment',
    /\b__coverage__\b|\bprocess\s*\.\s*(?:moduleLoadList|_getActive\w+|_events(?:Count)?|_preload_modules)\b/,
  ],
  [
    'context',
    /\bprocess\s*\.\s*(?:listenerCount|listeners|rawListeners|eventNames)\s*\(|\btypeof\s+process\s*\.\s*send\b|\b(?:workerData|threadId|executionAsyncId|isFIFO)\b|\bfstatSync\s*\(\s*[012]\b|\bprocess\s*\.\s*std\w+\s*\.\s*constructor\b|\brequire\s*\.\s*extensions\b|\bmodule\s*\.\s*(?:children|paths)\b|\bperformance\s*\.\s*getEntries\b|\btypeof\s+import\s*\.\s*meta\s*\.\s*env\b/,
  ],
  [
    'context',
    /\bprocess\s*\.\s*cwd\s*\(\s*\)\s*\.\s*(?:includes|startsWith|endsWith|match|split|length)\b|\bbasename\s*\(\s*process\s*\.\s*cwd\b/,
  ],
  // Parts of the language, reached through a value or a computed name.
  [
    'assertion',
    new RegExp(
      String.raw`${VALUE}\s*\.\s*(?:constructor(?:\s*\.\s*prototype)?|__proto__)\s*(?:\.\s*\w+|\[[^\]]+\])\s*=(?![=>])`,
    ),
  ],
  [
    'assertion',
    new RegExp(
      String.raw`\b(?:assign|defineProperty|defineProperties|set)\s*\(\s*(?:${VALUE}\s*\.\s*(?:constructor|__proto__)\b|Object\s*\.\s*getPrototypeOf\s*\(\s*["'\x60\[{\d])`,
    ),
  ],
  ['assertion', /\bgetPrototypeOf\s*\(\s*(?:["'`[{\d])[^=]*\)\s*(?:\.\s*\w+|\[[^\]]+\])\s*=(?![=>])/],
  ['assertion', new RegExp(String.raw`(?<![\w$.])${PARTS}(?:\s*\.\s*prototype)?\s*\[[^\]]+\]\s*=(?![=>])`)],
  [
    'assertion',
    /\b[Mm]odule\s*\.\s*prototype\s*\.\s*\w+\s*=(?![=>])|\.\s*prototype\s*\.\s*(?:require|_compile)\s*=(?![=>])/,
  ],
  ['caller', /\bcallee\s*\.\s*caller\b|\{\s*stack\b[^}]*\}\s*=\s*new\s+\w*Error\b/],
  ['runner', new RegExp(String.raw`\b(?:require|import\s*\.\s*meta)\s*\.\s*resolve\s*\(\s*["'\x60]${RUNNERS}`)],
  [
    'environment',
    new RegExp(String.raw`\b(?:exists|existsSync|l?stat(?:Sync)?|access(?:Sync)?|readFile(?:Sync)?)\s*\(.*${SETTINGS}`),
  ],
];

const SURROUNDINGS: Readonly<Partial<Record<Language, readonly Pattern[]>>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: [
    // An equality that is assigned to a type from outside.
    [
      'assertion',
      /\b\w+\s*\.\s*__(?:eq|ne)__\s*=(?!=)|\bsetattr\s*\(.*["']__(?:eq|ne)__["']|["']__(?:eq|ne)__["']\s*:/,
    ],
    ['runner', /\bfind_spec\s*\(\s*['"]_?(?:pytest|unittest|doctest|pluggy|nose)/],
    ['environment', /\bdisplayhook\s+(?:is|in)\b|\bdisplayhook\s*[=!]=|\bhasattr\s*\(\s*builtins\s*,\s*["']_["']/],
    ['environment', new RegExp(String.raw`\b(?:exists|isfile|is_file|stat|open|access)\s*\(.*${SETTINGS}`)],
    [
      'context',
      /\bpkgutil\s*\.\s*iter_modules\b|\bgc\s*\.\s*get_(?:count|stats)\b|\bpythonapi\b|\bS_ISFIFO\b|\bfstat\s*\(\s*[012]\s*\)|\bstdout\s*\.\s*fileno\b|\bthreading\s*\.\s*active_count\b|\bfaulthandler\s*\.\s*is_enabled\b|\b__(?:loader|spec)__\b/,
    ],
  ],
  go: [
    ['environment', /\bNumGoroutine\s*\(\s*\)\s*[<>=!]/],
    [
      'environment',
      /\b(?:Glob|Match|Walk|WalkDir|ReadDir|HasSuffix|Contains|MustCompile)\s*\(.*["`][^"`]*_te[\w*?.[\]]*\\?\.go\b/,
    ],
    [
      'context',
      /\bruntime\s*\.\s*(?:NumGoroutine|NumCgoCall|ReadMemStats)\b|\bpprof\s*\.\s*Lookup\b|\bexpvar\s*\.\s*Get\b|\bModeNamedPipe\b|\bflag\s*\.\s*(?:NArg|Args?)\s*\(/,
    ],
  ],
  rust: [
    // Its code is removed from release builds.
    ['switch', /\bdebug_assert(?:_eq|_ne)?!\s*\((?:[^"]|"[^"]*")*?[^=!<>+*/&|^-]=(?![=>])/],
    // Set while cargo builds a package itself, as it does for its tests.
    ['environment', /\b(?:option_)?env!\s*\(\s*"(?:CARGO_PRIMARY_PACKAGE|CARGO_TARGET_TMPDIR|CARGO_BIN_EXE_\w*)"/],
    ['context', /\btype_name\b|\bmodule_path!|["']target\/(?:debug|release)/],
    ['process', /\bfn\s+_?[eE]xit\s*\(|\bfn\s+abort\s*\(/],
  ],
  c: [
    // Who calls it, and which program it is part of.
    ['caller', /\b__builtin_(?:return|frame)_address\b.*(?:[<>!=]=|[<>](?![<>])|\s-\s)/],
    ['context', /\b__builtin_(?:return|frame)_address\b|\bdl_iterate_phdr\b/],
    ['environment', /\b(?:__libc_argv|_dl_argv|__executable_start)\b/],
    ['process', /\bsection\s*\(\s*"\.(?:(?:pre)?init_array|fini_array|ctors|dtors)\b/],
    // Which files lie around it when it is compiled; headers have honest uses.
    [
      'environment',
      /\b__has_(?:include|embed)\w*\s*\(\s*["<](?![^">]*\.(?:h|hh|hpp|hxx|H|ipp|inl|inc|tcc)[">])(?!\w+>)[^">]*[">]/,
    ],
  ],
  bash: [
    // The depth of a call, and its caller.
    [
      'environment',
      /(?:\[\s|\btest\s|\(\()(?:(?!\s\]\]?(?:\s|;|$)|\)\)).)*(?:#(?:FUNCNAME|BASH_LINENO|BASH_SOURCE)\b|\$\{BASH_LINENO\b|\$\{FUNCNAME\[[1-9])/,
    ],
    [
      'environment',
      /\b(?:declare|typeset|compgen)\s+-\w+\s*\|.*\b(?:run|load|setup|teardown|skip|assert\w*|refute\w*)\b/,
    ],
    ['environment', /(?:\[|\btest\b|\(\().*\b(?:SHLVL|BASH_SUBSHELL)\b|\bcase\s+"?\$-"?\s+in\b.*\*e\*/],
    [
      'environment',
      /\b(?:type|command\s+-[vV]|declare\s+-[fF])\s+(?:-\w+\s+)*(?:run|load|setup|teardown|skip|fail|assert\w*|refute\w*)\b/,
    ],
    // Another program stands behind a name.
    ['assertion', /(?:^|[\s;&|])(?:hash\s+-p|enable\s+-f)\s|\beval\s+["']?\$\{?\w+\}?\s*\(\)/],
    [
      'assertion',
      /(?:^|[\s;&|])(?:function\s+)?(?:diff|cmp|grep|expr|true|false)\s*\(\s*\)|(?:^|[\s;&|])function\s+(?:diff|cmp|grep|expr|true|false)\b/,
    ],
    [
      'context',
      /\bSHLVL\b|\bBASH_SUBSHELL\b|\[\s+(?:!\s+)?-p\s+\/dev\/(?:std|fd)|\bset\s+-o\s*\||(?:^|[\s;&|(])(?:find|ls|compgen\s+-G)\s.*[*?]/,
    ],
  ],
};

/** What reveals to a program where it runs, besides the names of its runner. */
export const surroundingsOf = (language: Language): readonly Pattern[] => SURROUNDINGS[language] ?? [];

/** Go directives that reach into other packages, or embed the text of tests. */
const LINKED =
  /^\/\/go:(?:linkname\s+\S+\s+(?:testing|flag|os|runtime|reflect|sync|internal)\b|embed\s.*(?:_test\b|\*\.go\b|_te[\w*?]*\.go\b))/;

export const isLinked = (line: string): boolean => LINKED.test(line);
