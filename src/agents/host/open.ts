import { type Project, watchdogSession } from '../config/project.ts';
import type { SessionHost } from './port.ts';
import { ControlTransport } from './tmux/control.ts';
import { serverEnvironment, socketPath } from './tmux/socket.ts';
import { TmuxHost } from './tmux/tmux-host.ts';
import { forkTransport } from './tmux/transport.ts';

/** The tmux socket of a project, as the caller's environment has it. */
export function projectSocket(project: Project, env: NodeJS.ProcessEnv): string {
  return socketPath(project.tmuxSocket, env, process.getuid?.() ?? 0);
}

/** A host for a command that asks a few questions. The caller closes it. */
export function openHost(project: Project, env: NodeJS.ProcessEnv): SessionHost {
  return openHostAt(projectSocket(project, env), env);
}

/** The same for the server at a socket. */
export function openHostAt(socket: string, env: NodeJS.ProcessEnv): SessionHost {
  const forked = forkTransport({ socket, env: serverEnvironment(env) });
  return new TmuxHost({ socket, transport: forked, forked });
}

/** A host for a watchdog that runs in its own session: one connection for as long as that lives. The caller closes it. */
export function openLastingHost(project: Project, env: NodeJS.ProcessEnv): SessionHost {
  const socket = projectSocket(project, env);
  const server = serverEnvironment(env);
  const forked = forkTransport({ socket, env: server });
  const session = watchdogSession(project);
  const transport = new ControlTransport({ socket, env: server, session, fallback: forked });
  return new TmuxHost({ socket, transport, forked });
}
