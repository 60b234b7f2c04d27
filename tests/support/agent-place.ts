import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/evidence/schema/report.ts';
import { startScriptedModel } from '../../src/gateway/scripted/server.ts';
import { LastingPlace } from './lasting.ts';
import { type Ended, readReport, writeBelow } from './seatrial.ts';

const FILES = {
  'total.py': 'def total(numbers):\n    return sum(numbers[1:])\n',
  'tests/test_total.py': 'from total import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n',
};

/** A shell line that mends the bug. */
export const MEND = "sed -i 's/numbers\\[1:\\]/numbers/' total.py";

/** A machine with an admitted agent `pi`, a shell script that asks its model once, and a repository with a bug. */
export class AgentPlace extends LastingPlace {
  readonly repo = join(this.cwd, 'adder');
  #model: Awaited<ReturnType<typeof startScriptedModel>> | null = null;

  /** The agent does `work`, in which the prompt is `$prompt`. */
  async install(work: string): Promise<void> {
    this.#model = await startScriptedModel({ turns: [{ text: 'Done.' }] });
    const url = '$(sed -n \'s/.*"baseUrl": "\\(.*\\)".*/\\1/p\' "$PI_CODING_AGENT_DIR/models.json")';
    const ask = `curl -s "${url}/chat/completions" -H "authorization: Bearer $SEATRIAL_MODEL_KEY" -H 'content-type: application/json' -d '{"model":"m1","messages":[{"role":"user","content":"x"}]}' >/dev/null`;
    this.program('pi', `[ "$1" = --version ] && { echo 0.73.1; exit; }\nprompt=$(cat)\n${ask}\n${work}`);
    const admit = ['admit', 'engine', 'pi', '--model', 'local/m1', '--endpoint-variable', 'MODEL_URL', '--yes'];
    const { code, stderr } = await this.lasting(admit, { env: this.env });
    if (code !== 0) throw new Error(stderr);
  }

  get env(): Readonly<Record<string, string>> {
    return { PATH: `${this.seen(join(this.cwd, 'bin'))}:${process.env['PATH']}`, MODEL_URL: this.#model?.url ?? '' };
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...identity, ...args], { cwd: this.repo, encoding: 'utf8' }).trim();
  }

  /** Commits these files beside the bug and its test. */
  commit(files: Readonly<Record<string, string>> = {}, message = 'An adder'): void {
    writeBelow(this.repo, { ...FILES, ...files });
    this.git('init', '--quiet');
    this.git('add', '--all', '--force');
    this.git('commit', '--quiet', '--message', message);
  }

  /** Asks the agent for the fix. */
  async ask(...flags: string[]): Promise<Ended & { readonly report: Report; readonly kept: (name: string) => string }> {
    const args = [
      'run',
      '--repo',
      this.seen(this.repo),
      '--ask',
      'Make total right.',
      '--test',
      'python3 -m pytest -q',
    ];
    const ended = await this.lasting([...args, '--engine', 'pi', ...flags], { env: this.env });
    const latest = this.runDirs().toSorted().at(-1);
    if (latest === undefined) throw new Error(ended.stderr);
    const dir = join(this.runs, latest);
    return { ...ended, report: readReport(dir), kept: (name) => readFileSync(join(dir, name), 'utf8') };
  }

  async close(): Promise<void> {
    await this.#model?.close();
    this.remove();
  }
}
