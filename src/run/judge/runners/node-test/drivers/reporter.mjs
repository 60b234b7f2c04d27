/** Turns what node's test runner says into reports on the channel, and into lines for people. */
import { relative, resolve } from 'node:path';
import channel from '../../shared/node/drivers/channel.cjs';

const { plan } = channel;
/**
 * Shared with the black box. `gone`: the code under test has ended, so nothing that tests conclude counts any more.
 * `broken`: a test file could not be loaded. `ended`: the last word has been said.
 */
export const course = { gone: false, broken: false, ended: false };

/** The announced exit code and the real one are one and the same. */
export function end(failed) {
  if (course.ended) return;
  course.ended = true;
  const exitCode = failed || course.gone || course.broken ? 1 : 0;
  channel.done(exitCode);
  const leaveWith = () => {
    process.exitCode = exitCode;
  };
  leaveWith();
  process.on('exit', leaveWith);
}

// oxlint-disable-next-line import/no-default-export -- that is how node finds a reporter
export default async function* report(source) {
  const path = [];
  let anyFailed = false;
  for (const file of plan.files) channel.collected(file);
  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type === 'test:start') path[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const failed = type === 'test:fail';
    if (failed && !isTodo(data)) anyFailed = true;
    const suite = data.details?.type === 'suite';
    if ((suite && !failed) || course.gone) continue;
    // A suite fails with its tests; alone it is news only when it failed before any of them could.
    if (suite && data.details?.error?.failureType === 'subtestsFailed') continue;
    const id = identify(data, path.slice(0, data.nesting));
    channel.test(id, outcomeOf(data, failed), fileOf(data));
    yield `${failed ? 'not ok' : 'ok'} ${id}\n${failed ? explain(data.details?.error) : ''}`;
  }
  end(anyFailed);
}

function isTodo(data) {
  return data.todo !== undefined && data.todo !== false;
}

function outcomeOf(data, failed) {
  if (isTodo(data) || (data.skip !== undefined && data.skip !== false)) return 'skipped';
  if (failed && plan.lenient && explain(data.details?.error).includes('black box: ')) return 'skipped';
  if (failed && isWholeFile(data)) return 'error';
  return failed ? 'failed' : 'passed';
}

function identify(data, parents) {
  const file = relative(plan.root, fileOf(data) ?? plan.root);
  return isWholeFile(data) ? file : `${file}::${[...parents, data.name].join(' > ')}`;
}

/** A file that broke before its first test is reported by its own path. */
function isWholeFile(data) {
  return data.nesting === 0 && plan.files.includes(resolve(data.name));
}

function fileOf(data) {
  return isWholeFile(data) ? resolve(data.name) : data.file;
}

function explain(error) {
  const cause = error?.cause ?? error;
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? '');
  return `${text.replace(/^/gm, '  ')}\n`;
}
