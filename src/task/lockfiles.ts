/** How a project's dependencies are pinned, and the command that brings exactly those. */
export interface Lockfile {
  readonly file: string;
  readonly language: string;
  readonly setup: string;
}

/** In the order in which they are believed: a project with two keeps the first for its own manager. */
export const LOCKFILES: readonly Lockfile[] = [
  { file: 'pnpm-lock.yaml', language: 'JavaScript', setup: 'pnpm install --frozen-lockfile' },
  { file: 'yarn.lock', language: 'JavaScript', setup: 'yarn install --frozen-lockfile' },
  { file: 'package-lock.json', language: 'JavaScript', setup: 'npm ci' },
  { file: 'npm-shrinkwrap.json', language: 'JavaScript', setup: 'npm ci' },
  { file: 'uv.lock', language: 'Python', setup: 'uv sync --frozen' },
  {
    file: 'requirements.txt',
    language: 'Python',
    setup: 'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt',
  },
  { file: 'Cargo.lock', language: 'Rust', setup: 'cargo fetch --locked' },
  { file: 'go.sum', language: 'Go', setup: 'go mod download' },
];
