'use strict';
/** Turns what jest's workers sent to its parent process into reports on the channel. */
const { idOf, report, collected, say, finish } = require('../../shared/node/drivers/module-reports.cjs');

const OUTCOMES = { passed: 'passed', failed: 'failed', pending: 'skipped', skipped: 'skipped', todo: 'skipped' };

module.exports = class Reporter {
  onTestFileStart({ path }) {
    collected(path);
  }

  onTestResult(_test, { testFilePath, displayName, testResults, testExecError, failureMessage, console: log }) {
    const project = displayName?.name ?? '';
    collected(testFilePath);
    for (const { message } of log ?? []) say(`${message}\n`);
    for (const { ancestorTitles, title, status, failureMessages } of testResults) {
      // `test.only` elsewhere makes a test "disabled", a hook that failed leaves it without a word.
      const outcome = OUTCOMES[status] ?? (status === 'disabled' ? 'skipped' : 'error');
      report(idOf(project, testFilePath, [...ancestorTitles, title]), outcome, failureMessages, testFilePath);
    }
    const failed = testResults.some(({ status }) => status === 'failed');
    const said = failureMessage ?? testExecError?.message ?? '';
    if (testExecError || (said !== '' && !failed))
      report(idOf(project, testFilePath, []), 'error', [said], testFilePath);
  }

  onRunComplete(
    _contexts,
    { numTotalTestSuites, numPassedTestSuites, numFailedTestSuites, numPendingTestSuites, wasInterrupted },
  ) {
    const heard = numPassedTestSuites + numFailedTestSuites + numPendingTestSuites;
    if (wasInterrupted !== true && heard === numTotalTestSuites) finish();
  }
};
