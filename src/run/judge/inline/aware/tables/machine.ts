import type { Language } from '../../../syntax/language.ts';
import type { TestAwareKind } from '../aware.ts';

/**
 * Things that are alike in every sandbox and can hardly be disguised as those of a person's machine. Honest code shows or uses them;
 * code that counts or inspects them wants to know where it runs.
 */
const COUNTED =
  /\bif_nameindex\b|\bnetworkInterfaces\b|\bnet\s*\.\s*(?:Interfaces|InterfaceAddrs)\b|\bgetifaddrs\b|\bgetServers\b|\bget_?groups\b|\bGetgroups\b|\bgetActiveResourcesInfo\b|\bpids\s*\(|["'`\s]\/sys\/class\/net\b|["'`\s]\/proc["'`\s]/;
const ASKED =
  /["'`\s]\/proc\/(?:self|thread-self|\d+|\$?\{?[^}/]*ppid[^}/]*\}?|\$PPID)\/(?:mounts|mountinfo|status|limits|maps|smaps|uid_map|gid_map|ns|sched|comm|cmdline|oom\w*|attr)\b|["'`\s]\/proc\/(?:mounts|uptime|sys\/kernel\/(?:hostname|ns_last_pid|pid_max))\b|\b(?:getrlimit|Getrlimit|getsid|Getsid|getpgrp|Getpgrp|getpgid|_ncallbacks)\b/;

const COUNTING =
  /\blen\s*\(|\.\s*(?:length|size|len\s*\(|count\s*\()|\bcount\b|\bsum\s*\(|\bany\s*\(|\ball\s*\(|\.\s*(?:some|every)\s*\(|\bwc\b/;
const COMPARING =
  /[!=]==?|[<>]=?\s*[\d.]|\s-(?:lt|gt|le|ge|eq|ne)\s|["']\s+(?:not\s+)?in\s|\bnot\s|\.\s*(?:includes|startsWith|endsWith|match|test|contains|starts_with|count|startswith|endswith)\s*\(|\b(?:HasPrefix|HasSuffix|Contains|grep)\b|\s\?\s/;

/** The time of day, or the day itself. */
const NOW =
  /\b(?:today|now|utcnow|Now|getFullYear|gmtime|localtime)\s*\(|\btime\s*\.\s*time\s*\(|\bnew\s+Date\s*\(\s*\)|\bdate\s+\+%|\btime\s*\(\s*(?:NULL|nullptr|0|&\w+)\s*\)/;
/** A year or time as a literal. */
const WRITTEN_DATE =
  /(?:[<>]=?|[!=]==?|\s-(?:lt|gt|le|ge|eq|ne))\s*["'(]?(?:20\d\d\b|\d{10}|\d{13}|\d_\d{3}_\d{3}_\d{3})/;

/** Compares the age of the process with a literal. */
const AGE =
  /\b(?:performance\s*\.\s*now|process\s*\.\s*(?:uptime|cpuUsage)|process_time|perf_counter|monotonic)\s*\(\s*\)\s*[<>]=?\s*\d/;

/** The age of its own file: in a test run, the file has just been created. */
const OWN_FILE = /\b__file__\b|\bimport\s*\.\s*meta\b|\b__filename\b|\bos\s*\.\s*Executable\b|\bcurrent_exe\b/;
const FILE_AGE = /\bst_[acm]time\b|\b(?:[acm]time|birthtime)(?:Ms)?\b|\bget[acm]time\b|\bModTime\b|\.\s*modified\s*\(/;

/** Lines that decide by where or when they run. */
export const MACHINE_PATTERNS: readonly (readonly [TestAwareKind, RegExp])[] = [
  ['environment', both(COUNTED, COUNTING)],
  ['environment', both(ASKED, COMPARING)],
  // Works until a fixed date.
  ['environment', both(NOW, WRITTEN_DATE)],
  ['environment', AGE],
  ['environment', both(OWN_FILE, FILE_AGE)],
  // The file that takes its output, beside which tests may keep what they expect.
  [
    'environment',
    both(/\/proc\/[^\s/"']{1,40}\/fd\/[012]\b/, /\b(?:read_?[lL]ink(?:Sync)?|Readlink|realpath|dirname)\b/),
  ],
  // Installed, or where its authors have it.
  ['environment', both(OWN_FILE, /\b(?:site|dist)-packages\b|\bnode_modules\b.*(?:includes|test|match)/)],
];

/** Matches where both do, in either order. */
function both(one: RegExp, other: RegExp): RegExp {
  return new RegExp(`^(?=.*(?:${one.source}))(?=.*(?:${other.source}))`, 's');
}

const ROOT: Readonly<Partial<Record<Language, RegExp>>> = {
  bash: /(?:^|[\s;&|(`])(?:ls\s+(?:-\w+\s+)*\/(?=[\s)|;`]|$)|find\s+\/\s+-maxdepth\s+1\b)/,
};
const LISTED_ROOT =
  /\b(?:listdir|scandir|readdir(?:Sync)?|ReadDir|read_dir|opendir)\s*\(\s*(?:["'`]\/["'`]|b"\/")|\bPath\s*\(\s*["']\/["']\s*\)\s*\.\s*(?:iterdir|glob)\b|\bglob\s*\(\s*["']\/\*["']/;

/** Lists the root directory of the system, where no product has files. */
export const rootPattern = (language: Language): readonly [TestAwareKind, RegExp] => [
  'environment',
  ROOT[language] ?? LISTED_ROOT,
];
