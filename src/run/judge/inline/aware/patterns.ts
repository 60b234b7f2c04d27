import type { Language } from '../../syntax/language.ts';
import type { TestAwareKind } from './aware.ts';
import { MACHINE_PATTERNS, rootPattern } from './tables/machine.ts';
import { surroundingsOf } from './tables/surroundings.ts';
import { originsOf } from './tables/value-origins.ts';

type Pattern = readonly [TestAwareKind, RegExp];

/** Runs text as code, which is not searched. */
const EVALUATES_JS = String.raw`(?:\bnew\s+Function\b|(?<![\w.$])Function\s*\(|(?<![\w.$])eval\s*\(|\b(?:vm\s*\.\s*)?runIn(?:This|New)?Context\b|\bcompileFunction\b)`;
const DECODES_JS = String.raw`(?:\batob\b|\bBuffer\s*\.\s*from\b|\bfromCharCode\b|\bdecodeURI\w*\b|\bunescape\b|\breadFile\w*\b|\.\s*reverse\b|\.\s*join\b|\.\s*replace(?:All)?\b)`;
const EVALUATES_PYTHON = String.raw`(?<![\w.])(?:exec|eval|compile|execfile)\s*\(`;
const DECODES_PYTHON = String.raw`(?:b64|base64|\bdecode\b|fromhex|unhexlify|\bcodecs\b|\bmarshal\b|\bzlib\b|\bchr\b|\bread(?:_text|_bytes|lines?)?\s*\(|\bopen\s*\(|\[::-1\]|\bjoin\b|\breplace\b|\btranslate\b)`;

/** A line that only prints the usage of the program is harmless. */
const NOT_ONLY_PRINTED_GO = String.raw`(?!\s*(?:_\s*(?:,\s*_\s*)?=\s*)?fmt\s*\.\s*(?:Print\w*\(|Fprint\w*\(\s*os\s*\.\s*Std(?:out|err)\s*,)[^;()]*\)\s*$)`;

const JAVASCRIPT: readonly Pattern[] = [
  ['switch', /\bimport\s*\.\s*meta\s*(?:\.\s*|\[\s*['"`])vitest\b/],
  ['environment', /\b(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT|MOCHA_\w+|AVA_PATH|TAP_\w+|CYPRESS|PLAYWRIGHT_\w+)\b/],
  ['environment', /\bNODE_ENV\b.*['"`]test|['"`]test.*\bNODE_ENV\b|\bnpm_lifecycle_(?:event|script)\b/],
  ['environment', /\bimport\s*\.\s*meta\s*\.\s*env\s*\.\s*(?:TEST|VITEST)\b/],
  ['process', /\bimport\s*\.\s*meta\s*\.\s*env\s*\.\s*MODE\b|\bisMainThread\b|\bexecArgv\b|\bsyncBuiltinESMExports\b/],
  ['environment', /\btypeof\s+(?:jest|vi|vitest|describe|it|test|expect|beforeEach|afterEach|mocha)\b/],
  ['environment', /\bglobal(?:This)?\s*(?:\.\s*|\[\s*['"`])(?:jest|vi|describe|it|test|expect|beforeEach|afterEach)\b/],
  [
    'runner',
    /(?:from|require\s*\(|import\s*\(|import)\s*['"`](?:vitest|chai|mocha|jest|@jest\/|@vitest\/|node:test|expect|ava)\b/,
  ],
  // What a function that tests give to the product has noted of its calls.
  [
    'runner',
    /\.\s*mock\s*\??\s*\.\s*(?:calls|results|callCount|lastCall|lastResult|invocationCallOrder|resetCalls)\b|\b(?:_isMockFunction|isSinonProxy|getMockImplementation)\b/,
  ],
  ['runner', /\bexpect\s*\.\s*extend\b|\b(?:vi|jest)\s*\.\s*mock\b|\bSymbol\s*\.\s*for\s*\(\s*['"`]\$*jest/],
  [
    'assertion',
    /\b_resolveFilename\b|\bModule\s*\.\s*_load\b|\bregisterHooks\b|\{[^{}]{0,400}\bregister\b[^{}]{0,400}\}\s*(?:from\s*|=\s*require\s*\(\s*)['"`](?:node:)?module/,
  ],
  ['process', /\bprocess\s*\.\s*env\s*\.\s*CI\b/],
  // A type that says itself what its instances are.
  ['assertion', /\bSymbol\s*\.\s*hasInstance\b/],
  // A single value that equals everything.
  [
    'assertion',
    /\b(?:equals?|isEqual(?:To)?)\s*(?:[:=]\s*)?(?:(?:function\b\s*(?:\w+\s*)?)?\(\s*(?:\w+\s*)?\)\s*|\w+\s*)?(?:=>\s*(?:\{\s*return\s+)?|\{\s*return\s+)(?:true|!0|1)\b\s*(?:[;,})]|$)/,
  ],
  ['assertion', /\basymmetricMatch\b|\bassert\s*\.\s*\w+\s*=(?!=)/],
  [
    'assertion',
    /\b(?:JSON|Object|Array|String|Number|Boolean|BigInt|Math|Reflect|Promise|RegExp|Map|Set|Function|Date)(?:\s*\.\s*prototype)?\s*\.\s*(?!prototype\b)\w+\s*=(?![=>])/,
  ],
  [
    'assertion',
    /\b(?:assign|defineProperty|defineProperties|Reflect\s*\.\s*set)\s*\(\s*(?:assert\w*|expect|JSON|(?:Object|Array|String|Number|RegExp|Map|Set|Function|Promise)(?:\s*\.\s*prototype)?)\s*,/,
  ],
  [
    'process',
    /\bprocess\s*\.\s*(?:exit|emit|kill)\s*=(?!=)|\bsetUncaughtExceptionCaptureCallback\b|\bprocess\s*\.\s*(?:on|once|addListener|prependListener|prependOnceListener)\s*\(\s*["'`](?:uncaughtException\w*|unhandledRejection|exit|beforeExit)["'`]/,
  ],
  ['process', /\bprocess\s*\.\s*(?:reallyExit|binding|abort)\b|\bnode:(?:async_hooks|inspector|v8)\b/],
  ['caller', /\bprepareStackTrace\b|\bgetCallSites?\b|\bcaptureStackTrace\s*\(\s*(?!this\b)/],
  ['environment', /\bprocess\s*\.\s*argv\b.*\b(?:tests?|specs?|vitest|jest|mocha|ava|tap)\b/],
  [
    'context',
    /\bprocess\s*\.\s*argv\b|\brequire\s*\.\s*(?:main|cache)\b|\bmodule\s*\.\s*parent\b|\bmainModule\b|\bimport\s*\.\s*meta\s*\.\s*main\b/,
  ],
  [
    'context',
    /\b(?:keys|values|entries)\s*\(\s*(?:\w+\s*\.\s*)?process\s*\.\s*env\s*\)|\bfor\b.*\bin\s+process\s*\.\s*env\b/,
  ],
  [
    'context',
    /\.\s*stack\s*(?:\?\.|!?\.)\s*(?:includes|match|matchAll|indexOf|search|split|slice|startsWith)\b|\.\s*test\s*\(\s*[\w$.]*\.\s*stack\b/,
  ],
  [
    'context',
    /\bisTTY\b|\bprocess\s*\.\s*(?:execArgv|argv0|title|ppid|connected|channel|getActiveResourcesInfo|report|memoryUsage|uptime)\b|\bos\s*\.\s*(?:hostname|userInfo|networkInterfaces|uptime|loadavg)\b/,
  ],
  ['context', /\bJSON\s*\.\s*stringify\s*\([^)]*\bprocess\s*\.\s*env\b/],
  ['hidden', new RegExp(String.raw`${EVALUATES_JS}.*${DECODES_JS}|\bimport\s*\(\s*["'\x60]data:`)],
  ['context', new RegExp(EVALUATES_JS)],
  ['exit', /\bprocess\s*\.\s*exit\s*\(\s*0?\s*\)|\bprocess\s*\.\s*exitCode\s*=\s*0/],
  ['caller', /\bnew\s+Error\s*(?:\([^)]*\))?\s*\)?\s*\.\s*stack\b/],
];

const PATTERNS: Readonly<Record<Language, readonly Pattern[]>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: [
    ['runner', /\.\s*(?:mock_calls|method_calls|call_args_list|assert_(?:not_)?called\w*|_mock_\w+)\b/],
    ['hidden', new RegExp(String.raw`${EVALUATES_PYTHON}.*${DECODES_PYTHON}|\bmarshal\s*\.\s*loads?\b`)],
    ['context', new RegExp(EVALUATES_PYTHON)],
    [
      'context',
      /\bisatty\b|\b__main__\b(?!["'])|\bsys\s*\.\s*(?:flags|executable|getswitchinterval|std(?:in|out|err)\s*\.\s*__class__)\b|\btype\s*\(\s*sys\s*\.\s*std|\bhasattr\s*\(\s*sys\b|\b(?:gethostname|getuser|getuid|geteuid|if_nameindex|getloadavg)\b|\b(?:nodename|platform\s*\.\s*node|os\s*\.\s*uname)\b/,
    ],
    [
      'context',
      /\b__subclasses__\b|\bshowwarning\b|\bwarnings\s*\.\s*filters\b|\bthreading\s*\.\s*(?:enumerate|main_thread|current_thread)\b|\bexcepthook\b/,
    ],
    ['exit', /\b(?:sys\s*\.\s*exit|exit|quit|SystemExit)\s*\(\s*(?:0|None)?\s*\)/],
    [
      'environment',
      /\bPYTEST\w*|\bsys\s*\.\s*modules\b.*\b(?:_?pytest|unittest|conftest|test_|nose|doctest)|['"]_?(?:pytest|unittest)['"].*\bsys\s*\.\s*modules\b|\bsys\s*\.\s*argv\b.*\btest|\bUNITTEST\w*|\bTOX_\w+/,
    ],
    [
      'assertion',
      /\bsys\s*\.\s*(?:meta_path|path_hooks)\b|\bsys\s*\.\s*path\s*(?:\.\s*(?:insert|append|extend)\b|\[[^\]]*\]\s*=(?!=)|\+?=(?!=))|\baddsitedir\b/,
    ],
    ['assertion', /\bsys\s*\.\s*modules\s*\[(?!\s*__name__)[^\]]*\]\s*=(?!=)/],
    ['process', /\bsys\s*\.\s*modules\b|\b__import__\s*\(|\benviron\b.*["']CI["']/],
    [
      'runner',
      /^\s*(?:import|from)\s+(?:_?pytest|unittest|nose\w*|hypothesis|pluggy)\b|\b(?:import_module|__import__)\s*\(\s*['"]_?(?:pytest|unittest|doctest|pluggy)/,
    ],
    ['runner', /\bgc\s*\.\s*get_(?:objects|referrers)\b|\bsys\s*\.\s*(?:settrace|setprofile|monitoring)\b/],
    [
      'assertion',
      /\b__builtins__\b(?!["']\s*:\s*(?:\{\s*\}|None)\s*[,}])|\bbuiltins\s*\.\s*\w+\s*=(?!=)|\bAssertionError\s*=(?!=)|\b__doc__\s*=(?!=)(?!\s*[\w.]+\.__doc__\s*$)/,
    ],
    [
      'process',
      /\bos\s*\.\s*(?:_exit|abort|exec[lv]p?e?|kill|killpg)\b|\batexit\b|\bsignal\s*\.\s*(?:signal|raise_signal|setitimer|alarm|pthread_kill)\b|\bexcepthook\s*=(?!=)/,
    ],
    // Gone from a program that runs without assertions.
    [
      'switch',
      /^\s*assert\b.*(?::=|\.\s*(?:append|add|update|pop|extend|insert|remove|clear|setdefault|write|sort|reverse)\s*\(|\bsetattr\s*\()/,
    ],
    // What a test puts in the place of the output.
    [
      'environment',
      /\bsys\s*\.\s*std(?:out|err)\b.*(?:\bStringIO\b|\bgetvalue\b|\bis\s+(?:not\s+)?sys\s*\.\s*__std|<stdout>)/,
    ],
    // A type that says itself what its instances are.
    ['assertion', /\b__(?:instance|subclass)check__\b|\bdef\s+__class__\b/],
    [
      'caller',
      /\bsys\s*\.\s*_(?:getframe(?:modulename)?|current_frames)\b|\binspect\s*\.\s*(?:stack|currentframe|getouterframes|getframeinfo)\b|\bf_(?:back|locals|lineno)\b|\blinecache\b|\b(?:extract|walk|format|print)_stack\b/,
    ],
    [
      'context',
      /\bsys\s*\.\s*(?:orig_)?argv\b|\bfor\b.*\bin\s+(?:\w+\s*\(\s*)?(?:os\s*\.\s*)?environ\b(?!\s*\[)|\benviron\s*\.\s*(?:keys|items|values)\b/,
    ],
    [
      'context',
      /\btb_frame\b|\bf_(?:code|globals)\b|\bco_(?:consts|names|filename|name|code)\b|\b(?:gi|cr|ag)_frame\b|\bgetppid\b/,
    ],
  ],
  go: [
    ['exit', /\bos\s*\.\s*Exit\s*\(\s*0\s*\)/],
    [
      'context',
      /\bos\s*\.\s*(?:Hostname|Getuid|Getpid)\b|\buser\s*\.\s*Current\b|\bReadBuildInfo\b|\bModeCharDevice\b|\bIsTerminal\b/,
    ],
    ['switch', /\btesting\s*\.\s*Testing\s*\(/],
    ['environment', /\bflag\s*\.\s*Lookup\s*\(\s*["`]test\.|["`]-test\.|["`]\.test["`]/],
    ['runner', /^\s*(?:import\s+)?(?:[\w.]+\s+)?["`]testing["`]|github\.com\/stretchr\/testify/],
    ['environment', new RegExp(String.raw`^${NOT_ONLY_PRINTED_GO}.*\bos\s*\.\s*Args\b.*\btest\b`)],
    ['context', /\bos\s*\.\s*(?:Args|Executable|Environ|Getppid)\b|\bflag\s*\.\s*(?:Lookup|CommandLine|VisitAll)\b/],
    ['process', /\bsyscall\s*\.\s*Exit\b|\bruntime\s*\.\s*Goexit\b/],
    ['caller', /\bruntime\s*\.\s*(?:Callers?|CallersFrames|FuncForPC|Stack)\b|\bdebug\s*\.\s*(?:Print)?Stack\b/],
    ['environment', /\bflag\s*\.\s*(?:Parsed|NFlag)\s*\(/],
  ],
  rust: [
    ['exit', /\bprocess\s*::\s*exit\s*\(\s*0\s*\)/],
    [
      'environment',
      /\bCARGO_(?:BIN_EXE|TARGET_TMPDIR|TEST)\w*|\benv\s*::\s*var(?:_os)?\s*\(\s*"(?:CARGO|RUSTC|RUST_MIN)|\bcurrent\s*\(\s*\)\s*\.\s*name\s*\(|\bRUST_TEST_\w+|\bNEXTEST\w*/,
    ],
    [
      'context',
      /\benv\s*::\s*(?:args|args_os|vars|vars_os)\b|\bparent_id\b|\bis_terminal\b|\boption_env!|\bhostname\b/,
    ],
    ['process', /\bcurrent_exe\b|\bthread\s*::\s*current\b|\bdebug_assertions\b/],
    [
      'assertion',
      /\bmacro_rules!\s*(?:assert\w*|debug_assert\w*|panic|matches|unreachable)\b|\buse\b[^;]*\bassert(?:_eq|_ne)?\s*[;,}]/,
    ],
    ['process', /\bpanic\s*::\s*(?:set_hook|take_hook)\b|\bcatch_unwind\b|\blink_section\b/],
    ['caller', /\bBacktrace\b|\bLocation\b.*::\s*caller\b|\bLocation\s+as\b|\btype\b.*=.*\bpanic\s*::\s*Location\b/],
    ['runner', /\btest_runner\b|\bcustom_test_frameworks\b|\breexport_test_harness_main\b|#!\[\s*no_main/],
  ],
  c: [
    // Uses the program's name for more than printing it.
    [
      'environment',
      /\b(?:__progname|program_invocation_(?:short_)?name|getprogname\s*\(\s*\))(?:\s*\[\s*\d+\s*\])?\s*[!=]=|\bstr\w*(?:cmp|str)\s*\(.*\b(?:__progname|program_invocation_(?:short_)?name|getprogname)\b/,
    ],
    // With any exit code that is not a failure.
    ['exit', /\b(?:quick_)?exit\s*\(\s*(?!(?:[1-9]\d*|EXIT_FAILURE|-\s*\d+)\s*\))\w|\bSYS_exit/],
    // Under another name.
    ['exit', /[=,(&?:]\s*(?:quick_|_)?[eE]xit\s*[;,)}]/],
    ['environment', /\bgetenv\s*\(\s*"[^"]*(?:TEST|CHECK)|#\s*if(?:n?def)?\b.*\b(?:UNIT_?TEST\w*|TESTING|TEST)\b/],
    ['assertion', /#\s*(?:define|undef)\s+(?:assert\w*|NDEBUG|CHECK\w*|EXPECT_\w+|ASSERT_\w+|TEST_ASSERT\w*)\b/],
    // Another function stands behind a name.
    ['assertion', /#\s*pragma\s+redefine_extname\b|\balias\s*\(\s*"|__wrap_\w+\s*\(/],
    // There in one program and not in another: who it is linked with.
    ['environment', /\bextern\b.*\bweak\b|#\s*pragma\s+weak\b|\bdlsym\s*\(\s*(?:NULL|0|RTLD_DEFAULT)\b/],
    ['environment', /\bgetenv\s*\(\s*"(?:MAKE|MFLAGS|GNUMAKE)|\b__BASE_FILE__\b|\b__INCLUDE_LEVEL__\b/],
    [
      'context',
      /\bisatty\s*\(|\bgethostname\s*\(|\bgetppid\s*\(|\bbacktrace(?:_symbols)?\s*\(|\bdladdr\s*\(|\benviron\b|\bprogram_invocation_(?:short_)?name\b/,
    ],
    [
      'process',
      /\b(?:execl|execv)(?:p|e|pe)?\s*\(|\bsyscall\s*\(|\b(?:__)?asm(?:__)?\b|\blongjmp\s*\(|\b(?:signal|sigaction)\s*\(|\bkill\s*\(/,
    ],
    ['process', /\b_[eE]xit\s*\(|\batexit\s*\(|__attribute__\s*\(\(\s*(?:constructor|destructor)/],
  ],
  bash: [
    ['exit', /\bkill\b[^\n]*(?:PPID|\$\$)|\bexec\s+true\b/],
    ['environment', /\bBATS_\w+|\bSHUNIT\w*|\b_ASSERT_\w+|\bCTEST_\w+/],
    [
      'assertion',
      /(?:^|[\s;&|])(?:function\s+)?(?:assert\w*|refute\w*|\[|test)\s*\(\s*\)|(?:^|[\s;&|])alias\s+(?:assert|\[|test|run|fail)/,
    ],
    ['process', /(?:^|[\s;&|])(?:function\s+)?(?:run|fail)\s*\(\s*\)/],
    ['environment', /\b(?:ps|pgrep|PPID|cmdline|env|printenv|caller)\b.*\b(?:bats|shunit2|ctest|tests?)\b/],
    [
      'context',
      /\[\[?\s+(?:!\s+)?-t\s+\d|\btest\s+-t\b|\bhostname\b|(?:^|[\s;&|(])(?:env|set|declare\s+-\w+|compgen\s+-\w+)\s*(?:[|)]|$)|\$\{!|\beval\b/,
    ],
    ['context', /\bPPID\b|(?:^|[\s;&|(])(?:ps|pgrep|pstree|printenv|caller)\s|\bBASH_(?:SOURCE|ARGV)\b|\bFUNCNAME\b/],
    ['process', /(?:^|[\s;&|])trap\b|\benable\s+-n\b/],
  ],
};

/** Only the main function of a program should ask how it was started; elsewhere this detects test programs. */
export const FOR_PROGRAMS: Readonly<Partial<Record<Language, { readonly isProgram: RegExp; readonly asks: RegExp }>>> =
  {
    go: {
      isProgram: /^package\s+main\b/m,
      asks: new RegExp(
        String.raw`^${NOT_ONLY_PRINTED_GO}.*(?:\bos\s*\.\s*Args\b(?!\s*\[\s*1\s*:)|\bos\s*\.\s*Executable\s*\()`,
      ),
    },
    rust: { isProgram: /\bfn\s+main\b/, asks: /\bcurrent_exe\s*\(/ },
    c: { isProgram: /\bmain\s*\(/, asks: /\bAT_EXECFN\b|"\/proc\/self\/(?:exe|comm|cmdline)"/ },
  };

/** Paths of the judge's sandbox, in any language. */
const PLACE = String.raw`\/(?:workspace|judge)(?:\/|["'\x60\s]|$)`;
/** Routes of a web service, which may have the same names. */
const ROUTE = String.raw`(?:\.\s*(?:get|post|put|patch|delete|all|use|route|push|replace|navigate|redirect|Handle|HandleFunc|Group|GET|POST|PUT|PATCH|DELETE)|\b(?:fetch|redirect|navigate|path|re_path))\s*\(\s*|\b(?:href|to|path|pathname|prefix|url)\s*[:=]\s*\{?\s*`;
const SANDBOX: Pattern = ['environment', new RegExp(String.raw`(?<!${ROUTE})["'\x60=\s]${PLACE}|\bSEATRIAL_\w+`)];
const ROUTES: Pattern = ['context', new RegExp(String.raw`["'\x60]${PLACE}`)];

/** Asks for directories of tests. */
const TEST_DIRS: Pattern = [
  'context',
  /\b(?:isdir|isfile|exists|existsSync|l?statSync|Stat|is_dir|is_file|listdir|scandir|readdir|readdirSync|ReadDir|i?glob|access)\b.*["'`](?:\.{0,2}\/)*(?:tests?|specs?|__tests__)\b/,
];
/** Environment variables whose names are computed. */
const VARIABLES: Pattern = [
  'context',
  /\benviron\s*(?:\.\s*get\s*\(|\[)\s*(?!["'])|\bgetenv\s*\(\s*(?!["'])|\bprocess\s*\.\s*env\s*\[\s*(?!["'`])|\b(?:Getenv|LookupEnv)\s*\(\s*(?!["`])/,
];
/** What the system reveals about running processes. */
const PROCESSES: Pattern = ['context', /["'`=\s]\/proc\/(?:self|\d|\$|["'`])/];

export const patternsOf = (language: Language): readonly Pattern[] => [
  ...PATTERNS[language],
  ...surroundingsOf(language),
  ...originsOf(language),
  ...MACHINE_PATTERNS,
  rootPattern(language),
  SANDBOX,
  ROUTES,
  PROCESSES,
  TEST_DIRS,
  VARIABLES,
];

/** A path of the tests, which honest code has no reason to hide. */
export const HIDDEN_PLACE =
  /["'`](?:\.{0,2}\/)*(?:tests?|specs?|__tests__|node:test|node:assert|assert|unittest)(?:\/[^"'`]*)?["'`]/;
