import type { Language } from '../../syntax/language.ts';
import type { TestAwareKind } from './aware.ts';

/**
 * What every sandbox has in common and can hardly be made to look like a machine that people use. Honest code shows it or works with it;
 * code that counts it, or asks what is in it, wants to know where it runs.
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
  /\b(?:today|now|utcnow|Now|getFullYear|gmtime|localtime)\s*\(|\btime\s*\.\s*time\s*\(|\bnew\s+Date\s*\(\s*\)|\bdate\s+\+%/;
/** A year or a moment that is written out. */
const WRITTEN_DATE =
  /(?:[<>]=?|[!=]==?|\s-(?:lt|gt|le|ge|eq|ne))\s*["'(]?(?:20\d\d\b|\d{10}|\d{13}|\d_\d{3}_\d{3}_\d{3})/;

/** How old the process is, by a number that is written out. */
const AGE =
  /\b(?:performance\s*\.\s*now|process\s*\.\s*(?:uptime|cpuUsage)|process_time|perf_counter|monotonic)\s*\(\s*\)\s*[<>]=?\s*\d/;

/** How old its own file is: where tests run, it has just been laid out. */
const OWN_FILE = /\b__file__\b|\bimport\s*\.\s*meta\b|\b__filename\b|\bos\s*\.\s*Executable\b|\bcurrent_exe\b/;
const FILE_AGE = /\bst_[acm]time\b|\b(?:[acm]time|birthtime)(?:Ms)?\b|\bget[acm]time\b|\bModTime\b|\.\s*modified\s*\(/;

/** A line that decides by where it runs, or when. */
export const MACHINE_PATTERNS: readonly (readonly [TestAwareKind, RegExp])[] = [
  ['environment', both(COUNTED, COUNTING)],
  ['environment', both(ASKED, COMPARING)],
  // Works until a day that its author knows.
  ['environment', both(NOW, WRITTEN_DATE)],
  ['environment', AGE],
  ['environment', both(OWN_FILE, FILE_AGE)],
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

/** Looks at what lies at the root of the system: no product has anything there. */
export const rootPattern = (language: Language): readonly [TestAwareKind, RegExp] => [
  'environment',
  ROOT[language] ?? LISTED_ROOT,
];
