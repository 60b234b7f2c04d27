import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type CallOptions, type Ended, Place, writeBelow } from './seatrial.ts';

const SEEN_AT = '/mnt';

/** A place that the command sees outside every temporary directory, where executables may be admitted. */
export class LastingPlace extends Place {
  readonly admissions = join(this.cwd, '.seatrial/admissions');

  /** The program that starts a command so that it sees this place there, with its arguments. */
  get through(): readonly string[] {
    return ['bwrap', '--dev-bind', '/', '/', '--bind', this.root, SEEN_AT, '--chdir', this.seen(this.cwd)];
  }

  lasting(args: readonly string[], options: CallOptions = {}): Promise<Ended> {
    return this.seatrial(args, {
      ...options,
      through: this.through,
      env: { HOME: this.seen(this.home), ...options.env },
    });
  }

  /** Runs a shell script that sees this place there. */
  shell(script: string): Promise<Ended> {
    return this.start([], { through: [...this.through, 'bash', '-c', script], env: { HOME: this.seen(this.home) } })
      .ended;
  }

  /** How the command calls a path of this place. */
  seen(path: string): string {
    return SEEN_AT + path.slice(this.root.length);
  }

  /** A program in a directory of its own, told apart by what it says of itself. */
  program(name: string, script = `echo 'Usage: ca <command> [options]'; echo '${name}: does this and that'`): string {
    const path = join(this.cwd, 'bin', name);
    writeBelow(this.cwd, { [`bin/${name}`]: `#!/bin/sh\n${script}\n` });
    execFileSync('chmod', ['+x', path]);
    return path;
  }

  /** A git work tree in the current directory, all of it committed. */
  repository(name: string, files: Readonly<Record<string, string>>): string {
    const dir = join(this.cwd, name);
    writeBelow(dir, files);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd: dir });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'all');
    return dir;
  }
}

const QWEN_FLAGS =
  '--engine case --provider qwen-local --model qwen3.6-35b-a3b --runtime-provider openai --wire openai-chat ' +
  '--endpoint-variable CTO_HARNESS_CASE_LOCAL_BASE_URL --approver jp --yes';
export const QWEN = ['admit', 'model', ...QWEN_FLAGS.split(' ')];

export const PIN = '7959ac917cdeb0983b4aaa20bb9f42021747fed8';
const SOURCE_FLAGS = `--engine case --id workos-case --url https://git.example/case.git --commit ${PIN} --license unstated`;
export const SOURCE = ['admit', 'source', ...SOURCE_FLAGS.split(' '), '--approver', 'jp', '--yes'];
