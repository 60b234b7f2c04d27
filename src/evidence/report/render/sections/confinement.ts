import type { ConfinementReport, Report } from '../../../schema/report.ts';
import type { TargetConclusion } from '../../../schema/no-target.ts';
import { type Block, type Fact, type Section, type Words, fact, file, note, paragraph, quote } from '../document.ts';
import { bytesText, groupDigits, plural } from '../text/words.ts';

export function confinementSection(report: Report): Section {
  return {
    id: 'confinement',
    title: 'Confinement and limits',
    blocks: [...confinementBlocks(report.confinement), { kind: 'facts', rows: writeFacts(report) }],
  };
}

const WRITE_WORDS = {
  true: 'no others were seen, and no protected directory was writable',
  false: 'a file that is not allowed, or a protected directory, was changed',
  null: 'not shown: nothing was confined, or nothing was compared',
} as const;

const TARGET_WORDS: Readonly<Record<TargetConclusion, string>> = {
  'not reachable': 'not reachable',
  reachable: 'reachable',
  'no targets configured': 'no targets configured, so this run is no evidence for stage 2 and above',
  'not inspected': 'not inspected',
};

const NETWORK_WORDS: Readonly<Record<ConfinementReport['network'], string>> = {
  none: 'none',
  gateway: 'one port, which leads to the gateway of this run',
  host: 'that of the machine, unrestricted',
};

function confinementBlocks(confinement: ConfinementReport | null): readonly Block[] {
  if (confinement === null) return [paragraph('No confinement was set up: the run ended before it was needed.')];
  const limits = Object.entries(confinement.limits).map(([name, value]) => {
    const missed = confinement.not_enforced.some((entry) => isAbout(entry, name));
    return fact(limitLabel(name), limitText(name, value), missed ? ', not enforced' : '');
  });
  return [
    ...(confinement.kind === 'none'
      ? [
          note(
            'bad',
            'Nothing was confined. Engine and tests could reach whatever the caller can; this run is no evidence for a stage.',
          ),
        ]
      : []),
    {
      kind: 'facts',
      rows: [
        fact('Kind', confinement.kind),
        fact('Network', NETWORK_WORDS[confinement.network]),
        fact('Probe', confinement.probe_passed ? 'passed' : 'did not pass'),
        ...(confinement.session_keyring === undefined ? [] : [fact('Session keyring', confinement.session_keyring)]),
        ...(confinement.workspace === undefined ? [] : [fact('Workspace', confinement.workspace)]),
        ...auditFacts(confinement.audit),
        ...limits,
      ],
    },
    ...listed('Could not be enforced on this machine:', confinement.not_enforced),
    ...listed('Shown inside, read-only:', confinement.read_only),
  ];
}

function auditFacts(audit: ConfinementReport['audit']): readonly Fact[] {
  if (audit === undefined) return [];
  const { complete, target_attempts: targets, connection_attempts: connections } = audit;
  const seen = `${plural(targets, 'attempt')} at target paths, ${plural(connections, 'attempt')} at connections`;
  return [fact('Audited', seen, complete ? '' : ', cut off before the end')];
}

function listed(title: string, items: readonly string[]): readonly Block[] {
  if (items.length === 0) return [];
  return [paragraph(title), { kind: 'list', items: items.map((item): Words => [quote(item)]) }];
}

/** `memory` and `memory_bytes: no cgroup` both refer to `memory_bytes`. */
function isAbout(entry: string, limit: string): boolean {
  const name = /^\w+/.exec(entry)?.[0] ?? '';
  return name !== '' && (limit === name || limit.startsWith(`${name}_`));
}

function limitLabel(name: string): string {
  const words = name.replace(/_(?:bytes|seconds)$/, '').replaceAll('_', ' ');
  return `Limit: ${words}`;
}

function limitText(name: string, value: number): string {
  if (name.endsWith('_bytes')) return bytesText(value);
  return name.endsWith('_seconds') ? `${groupDigits(value)} s` : groupDigits(value);
}

function writeFacts(report: Report): readonly Fact[] {
  const searched = report.artifacts['no_target_inspection'];
  return [
    fact('Writable for the engine', quote(report.writable_roots.runtime_workspace_root)),
    fact('Run directory', quote(report.writable_roots.run_artifact_dir)),
    fact('Allowed writes', WRITE_WORDS[`${report.allowed_writes_passed}`]),
    fact('Targets', TARGET_WORDS[report.target_conclusion ?? 'not inspected']),
    fact('Search for targets', ...(searched === undefined ? ['not written'] : [file(searched)])),
  ];
}
