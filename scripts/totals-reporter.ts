import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Names the file for the totals, for a caller that adds up several runs. */
const TOTALS_FILE = 'SEATRIAL_TEST_TOTALS';

/**
 * Lists every skipped test with its reason, and fails the run if one has none, so that no test is skipped silently.
 * To give a reason, call `ctx.skip(reason)` inside the test.
 */
export class TotalsReporter implements Reporter {
  #byName = false;
  #withoutLong = false;

  onInit(vitest: Vitest): void {
    this.#byName = vitest.config.testNamePattern !== undefined;
    this.#withoutLong = vitest.config.tagsFilter !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const totals = { passed: 0, failed: unhandled.length, skipped: 0 };
    const reasons: string[] = [];
    const long = new Map<string, number>();
    let unexplained = 0;
    for (const module of modules) {
      const failedBefore = totals.failed;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') totals.passed += 1;
        else if (result.state === 'failed') totals.failed += 1;
        else if (this.#withoutLong && test.tags.includes('long')) {
          long.set(module.relativeModuleId, (long.get(module.relativeModuleId) ?? 0) + 1);
        } else {
          totals.skipped += 1;
          const note = result.state === 'skipped' ? result.note : undefined;
          if (note === undefined) unexplained += 1;
          reasons.push(`  ${module.relativeModuleId} > ${test.fullName}: ${note ?? 'no reason given'}`);
        }
      }
      // A file that cannot be loaded, or a hook that throws, fails without a failed test.
      if (module.state() === 'failed' && totals.failed === failedBefore) totals.failed += 1;
    }
    if (long.size > 0) {
      const files = [...long].map(([file, count]) => `  ${file}: ${count}`);
      console.log(`\nLong tests that were left to \`npm run test:all\`:\n${files.join('\n')}`);
    }
    // When tests are selected by name, the others are skipped on purpose.
    if (reasons.length > 0 && !this.#byName) console.log(`\nSkipped:\n${reasons.join('\n')}`);
    if (unexplained > 0 && totals.failed === 0 && !this.#byName) {
      console.log(`${unexplained} skipped without a reason: use ctx.skip('why') inside the test`);
      totals.failed += unexplained;
      totals.skipped -= unexplained;
      process.exitCode = 1;
    }
    const file = process.env[TOTALS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(totals));
  }
}
