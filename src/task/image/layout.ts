import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type TaskLayout = 'seatrial' | 'harbor' | 'terminal-bench';

/** The layout of a task directory by the files that it has; null: it is none. */
export function layoutOf(dir: string): TaskLayout | null {
  const has = (path: string): boolean => existsSync(join(dir, path));
  if (has('task.toml')) return isHarbor(dir, has) ? 'harbor' : 'seatrial';
  return has('task.yaml') ? 'terminal-bench' : null;
}

/** A task that says how Seatrial judges it is ours, whatever else lies in its environment. */
function isHarbor(dir: string, has: (path: string) => boolean): boolean {
  const text = textOf(join(dir, 'task.toml'));
  if (/^\s*test_command\s*=/m.test(text)) return false;
  return (
    ['Dockerfile', 'docker-compose.yaml', 'docker-compose.yml'].some((name) => has(`environment/${name}`)) ||
    /^\s*docker_image\s*=/m.test(text)
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
