import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessTree } from '../../confine/processes/process-tree.ts';
import { PANES } from '../../engines/pane/list.ts';
import { type PaneScreen, readScreen, type ScreenReading } from '../../engines/pane/screen.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Agent, Project } from '../config/project.ts';
import type { SessionFacts, SessionHost } from '../host/port.ts';
import { hooksDirOf, workDirOf } from '../protocol/paths.ts';
import { readHooks, withHooks } from './hooks.ts';

/** What is remembered of a spawn between two looks. */
interface Memory {
  readonly spawn: string;
  outputAt: number;
  reading: ScreenReading | null;
  kickoffSeen: boolean;
  signature: string;
  progressAt: Date;
  cpu: ReadonlyMap<number, number>;
}

interface ProcessesNow {
  readonly readAt: number;
  readonly processes: ProcessTree;
  readonly bootMs: number;
}

export interface Observation {
  readonly screen: ScreenReading | null;
  readonly kickoffSeen: boolean;
  readonly progressAt: Date;
  readonly busyChildren: readonly string[];
}

/** A process that started this much after its pane is work, not part of the program. */
const PROGRAM_START_MS = 10_000;
/** Clock ticks of processor time between two looks that count as busy. */
const BUSY_TICKS = 5;
/** All agents of one look are looked up in the same tree. */
const TREE_VALID_MS = 1000;

/** Looks at living panes and remembers when they last got anywhere. Screens are read only after new output. */
export class Observer {
  readonly #memories = new Map<string, Memory>();
  readonly #project: Project;
  readonly #host: SessionHost;
  #tree: ProcessesNow | null = null;

  constructor(project: Project, host: SessionHost) {
    this.#project = project;
    this.#host = host;
  }

  async look(agent: Agent, session: SessionFacts, now: Date): Promise<Observation> {
    const memory = this.#memoryOf(agent, session, now);
    const pane = agent.backend === null ? undefined : PANES.get(agent.backend);
    // To the second: more may have come in the same one.
    const fresh = session.outputAt.getTime() + 1500 < memory.outputAt;
    if (pane !== undefined && !fresh) {
      const screen = await this.#host.screen(agent.session);
      memory.outputAt = now.getTime();
      if (screen !== null) {
        memory.reading = pane.screens.length === 0 ? null : readScreen(pane.screens, screen, now);
        const line = pane.takenLine;
        memory.kickoffSeen ||= line !== undefined && screen.lines.some((text) => line.test(text));
        this.#noteProgress(agent, memory, screen, now);
      }
    } else this.#noteProgress(agent, memory, null, now);
    const hook = pane === undefined ? null : readHooks(hooksDirOf(this.#project, agent.name), pane);
    // A prompt was taken, or a tool is used.
    memory.kickoffSeen ||= hook?.state === 'working';
    const mayStall = agent.watch === 'heal+stall';
    const quiet = mayStall && now.getTime() - memory.progressAt.getTime() >= agent.stallAfterMs;
    return {
      screen: pane?.authority === 'hooks' ? withHooks(memory.reading, hook, now) : memory.reading,
      kickoffSeen: memory.kickoffSeen,
      progressAt: memory.progressAt,
      busyChildren: quiet ? this.#busyChildren(session, memory) : [],
    };
  }

  #memoryOf({ name }: Agent, session: SessionFacts, now: Date): Memory {
    const known = this.#memories.get(name);
    if (known !== undefined && known.spawn === session.spawn) return known;
    const memory: Memory = {
      spawn: session.spawn ?? '',
      outputAt: 0,
      reading: null,
      kickoffSeen: false,
      signature: '',
      progressAt: now,
      cpu: new Map(),
    };
    this.#memories.set(name, memory);
    return memory;
  }

  #noteProgress(agent: Agent, memory: Memory, screen: PaneScreen | null, now: Date): void {
    if (agent.watch !== 'heal+stall') {
      // Were it watched for stalls from now on, it would be quiet from now on.
      memory.progressAt = now;
      return;
    }
    const own = screen === null ? memory.signature.split(':')[0] : screenSignature(screen);
    const signature = `${own}:${fileSignature(this.#project, agent)}`;
    if (signature === memory.signature) return;
    memory.signature = signature;
    memory.progressAt = now;
  }

  #busyChildren(session: SessionFacts, memory: Memory): string[] {
    const seen = new Map<number, number>();
    const busy: string[] = [];
    const { processes, bootMs } = this.#processes();
    for (const pid of processes.below(session.pid)) {
      const child = processTimes(pid, bootMs);
      if (child === null || child.startedAt < session.createdAt.getTime() + PROGRAM_START_MS) continue;
      seen.set(pid, child.ticks);
      if (child.ticks - (memory.cpu.get(pid) ?? child.ticks) >= BUSY_TICKS) busy.push(`${child.name} (${pid})`);
    }
    const first = memory.cpu.size === 0 && seen.size > 0;
    memory.cpu = seen;
    // At the first look there is nothing to compare with: the next one decides.
    return first ? ['not known yet'] : busy;
  }

  #processes(): ProcessesNow {
    const readAt = performance.now();
    if (this.#tree === null || readAt - this.#tree.readAt > TREE_VALID_MS)
      this.#tree = { readAt, processes: new ProcessTree(), bootMs: bootTime() };
    return this.#tree;
  }
}

/** A screen without what changes by itself: digits, spinners, blanks. */
function screenSignature({ lines }: PaneScreen): string {
  return sha256(
    lines
      .map((line) => line.replaceAll(/[\d\s\u00b7\u2500-\u259f\u25cb-\u25ff\u2722-\u273f\u2800-\u28ff|/\\-]+/g, ''))
      .join('\n'),
  );
}

/** What an agent writes while it gets somewhere: commits, the index, hook events. */
function fileSignature(project: Project, agent: Agent): string {
  const dir = workDirOf(project, agent);
  const paths = [join(dir, '.git', 'index'), join(dir, '.git', 'logs', 'HEAD'), hooksDirOf(project, agent.name)];
  return paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(',');
}

interface ProcessTimes {
  readonly name: string;
  /** With those of its children that have ended: a compiler may live for less than the time between two looks. */
  readonly ticks: number;
  readonly startedAt: number;
}

const TICKS_PER_SECOND = 100;

const bootTime = (): number => Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]) * 1000;

function processTimes(pid: number, bootMs: number): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      name,
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      startedAt: bootMs + (Number(fields[19]) / TICKS_PER_SECOND) * 1000,
    };
  } catch {
    return null;
  }
}
