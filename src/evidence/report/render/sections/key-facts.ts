import type { Report } from '../../../schema/report.ts';
import { type Block, type Fact, type Section, fact, file, note, quote } from '../document.ts';
import { judgeRan, testsSummary } from '../test-rows.ts';
import { runCommandLine } from '../verdict.ts';
import { isGated, modelName, programText, runtimeName, usageText } from '../text/who.ts';
import { ADMISSION_WORD, ISOLATION_WORD, durationText, endingText, momentText, plural } from '../text/words.ts';

export function keyFacts(report: Report): Section {
  const rows: readonly Fact[] = [
    fact('Engine', quote(report.backend), ` ${endingText(report.backend_completion, report.backend_exit_code)}`),
    ...(isGated(report) ? programFacts(report) : []),
    ...modelFacts(report),
    fact('Duration', report.duration_ms === null ? 'not recorded' : durationText(report.duration_ms)),
    fact('Started', momentText(report.run_started_at)),
    fact('Tests', testsSummary(report.tests, report.base_record !== undefined)),
    fact('Test isolation', judgeRan(report.tests) ? ISOLATION_WORD[report.tests.isolation] : 'tests did not run'),
    fact('Confinement', confinementWords(report)),
    fact('Set up by', ...provisionWords(report)),
    fact('Change', changeWords(report)),
    fact('Mutation scope', quote(report.mutation), report.stage === null ? '' : `, stage ${report.stage}`),
    ...(report.work_item === undefined ? [] : [fact('Work item', quote(report.work_item))]),
    fact('Usage', usageText(report.usage) ?? 'none recorded'),
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
      { kind: 'command', text: runCommandLine('verify', report) },
    ],
  };
}

function changeWords({ frozen_tree: tree, changed_files: files }: Report): string {
  if (tree?.examined === 'no') return 'not examined';
  return `${plural(files.length, 'file')} changed${tree?.examined === 'partial' ? ', not all of it kept' : ''}`;
}

function modelFacts({ model }: Report): readonly Fact[] {
  if (model === null) return [fact('Model', 'none recorded')];
  const runtime = runtimeName(model);
  return [
    fact('Model', quote(modelName(model)), `, ${ADMISSION_WORD[model.admission_status]}`),
    ...(runtime === null ? [] : [fact('Known to the engine as', quote(runtime), ', a name that admits nothing')]),
  ];
}

function programFacts({ executable }: Report): readonly Fact[] {
  if (executable === null) return [fact('Program', 'none was found')];
  const admission = ADMISSION_WORD[executable.admission_status];
  return [fact('Program', quote(programText(executable)), `, ${admission}`)];
}

function confinementWords({ confinement }: Report): string {
  if (confinement === null) return 'none was set up';
  if (confinement.kind === 'none') return 'none: everything ran with the rights of the caller';
  const way = confinement.network === 'gateway' ? ', one way out: to the model' : '';
  return `${confinement.kind}, probe ${confinement.probe_passed ? 'passed' : 'did not pass'}${way}`;
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

function separated(paths: readonly string[]): Fact['value'] {
  return paths.flatMap((path, index) => (index === 0 ? [file(path)] : [', ', file(path)]));
}
