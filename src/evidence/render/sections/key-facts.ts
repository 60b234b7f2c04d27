import type { Report } from '../../schema/report.ts';
import { type Block, type Fact, type Section, fact, file, note, quote } from '../document.ts';
import { judgeRan, testsSummary } from '../test-rows.ts';
import { verifyCommand } from '../verdict.ts';
import { COMPLETION_WORD, ISOLATION_WORD, durationText, groupDigits, momentText, plural } from '../words.ts';

export function keyFacts(report: Report): Section {
  const rows: readonly Fact[] = [
    fact('Engine', quote(report.backend), ` ${COMPLETION_WORD[report.backend_completion]}${exitSuffix(report)}`),
    fact('Model', ...modelWords(report)),
    fact('Duration', report.duration_ms === null ? 'not recorded' : durationText(report.duration_ms)),
    fact('Started', momentText(report.run_started_at)),
    fact('Tests', testsSummary(report.tests)),
    fact('Test isolation', judgeRan(report.tests) ? ISOLATION_WORD[report.tests.isolation] : 'tests did not run'),
    fact('Confinement', confinementWords(report)),
    fact('Set up by', ...provisionWords(report)),
    fact('Change', plural(report.changed_files.length, 'file'), ' changed'),
    fact('Mutation scope', quote(report.mutation), report.stage === null ? '' : `, stage ${report.stage}`),
    fact('Usage', usageWords(report.usage)),
    fact('Signed by', 'the harness key of the machine that ran it: ', file('attestation.json')),
    fact('Run', quote(report.run_id)),
  ];
  const markers: readonly Block[] =
    report.markers.length === 0 ? [] : [note('warn', 'Markers left by the run: ', ...separated(report.markers))];
  return {
    id: 'facts',
    title: 'Key facts',
    blocks: [
      { kind: 'facts', rows },
      ...markers,
      note(
        'plain',
        'This page is part of the bundle and proves nothing by itself. This command checks the bundle, offline:',
      ),
      { kind: 'command', text: verifyCommand(report) },
    ],
  };
}

function exitSuffix(report: Report): string {
  return report.backend_exit_code === null ? '' : `, exit code ${report.backend_exit_code}`;
}

function modelWords(report: Report): Fact['value'] {
  if (report.model === null) return ['none recorded'];
  const { provider, name, runtime_provider: runtime, admission_status: admission } = report.model;
  const through = runtime === null || runtime === provider ? [] : [' through ', quote(runtime)];
  return [quote(`${provider}/${name}`), ...through, admission === 'admitted' ? ', admitted' : ', not admitted'];
}

function confinementWords({ confinement }: Report): string {
  if (confinement === null) return 'none was set up';
  if (confinement.kind === 'none') return 'none: everything ran with the rights of the caller';
  return `${confinement.kind}, probe ${confinement.probe_passed ? 'passed' : 'did not pass'}`;
}

function provisionWords({ provision }: Report): Fact['value'] {
  if (provision === null) return ['nothing: no setup was asked for or needed'];
  const { setup_command, lockfile, cached, products_sha256, duration_ms } = provision;
  return [
    quote(setup_command),
    ...(lockfile === null ? [] : [' for ', quote(lockfile)]),
    cached ? ', from the cache' : `, with network, in ${durationText(duration_ms)}`,
    ', products ',
    quote(products_sha256),
  ];
}

function usageWords(usage: Report['usage']): string {
  const parts = [
    usage.requests === null ? [] : [plural(usage.requests, 'request')],
    usage.input_tokens === null ? [] : [`${groupDigits(usage.input_tokens)} tokens in`],
    usage.output_tokens === null ? [] : [`${groupDigits(usage.output_tokens)} tokens out`],
    usage.cost_usd === null ? [] : [`${usage.cost_usd.toFixed(4)} USD`],
  ].flat();
  return parts.length === 0 ? 'none recorded' : parts.join(', ');
}

function separated(paths: readonly string[]): Fact['value'] {
  return paths.flatMap((path, index) => (index === 0 ? [file(path)] : [', ', file(path)]));
}
