import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { makeScratch } from '../../../confine/scratch.ts';
import { Masker } from '../../../evidence/secrets/mask.ts';
import { SecretPatterns } from '../../../evidence/secrets/patterns.ts';
import type { Judging } from '../../../task/contract.ts';
import type { JudgingEnvironment } from '../../trees/judging-place.ts';
import { judgeRepo } from '../repository/judge-repo.ts';

/** Facts about programs and bases, shared by the tests of one file. */
const cacheDir = mkdtempSync(join(tmpdir(), 'judged-cache-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

/** A machine without settings. */
export const PLAIN_ENVIRONMENT: JudgingEnvironment = {
  confine: 'bubblewrap',
  covered: [],
  readOnly: [],
  tools: { path: process.env['PATH'] ?? '', cacheDir, env: {} },
};

/** A repository whose last commit is judged by the tests of the one before. */
export class JudgedRepository {
  readonly #repo = mkdtempSync(join(tmpdir(), 'judged-'));

  constructor() {
    this.#git('init', '-q', '-b', 'main');
  }

  remove(): void {
    rmSync(this.#repo, { recursive: true, force: true });
  }

  commit(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.#repo, path)), { recursive: true });
      writeFileSync(join(this.#repo, path), text);
    }
    this.#git('add', '-A');
    this.#git('commit', '-qm', 'more');
  }

  async judgeLast(testCommand: string, judging: Partial<Judging> = {}) {
    const scratch = makeScratch();
    try {
      const { verdict, faults } = await judgeRepo({
        repo: this.#repo,
        commit: 'HEAD',
        base: 'HEAD~1',
        testCommand,
        timeoutMs: 300_000,
        nonce: 'n',
        scratch,
        environment: PLAIN_ENVIRONMENT,
        mask: new Masker(new SecretPatterns([])),
        judging,
      });
      return { verdict, faults: faults.map(({ code }) => code) };
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  #git(...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: this.#repo });
  }
}
