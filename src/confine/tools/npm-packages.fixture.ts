import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUILD = fileURLToPath(new URL('../../../.build/', import.meta.url));

/** For tests: a package with all it needs, fetched once and kept outside git. Null: no registry is in reach. */
export async function npmPackages(name: string, version: string): Promise<string | null> {
  const file = name.replace('/', '-');
  const kept = join(BUILD, `${file}-${version}`);
  const packages = join(kept, 'node_modules');
  if (existsSync(packages)) return packages;
  mkdirSync(BUILD, { recursive: true });
  const fresh = mkdtempSync(join(BUILD, `${file}-`));
  try {
    writeFileSync(join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0', '--fetch-timeout=20000'];
    await promisify(execFile)('npm', ['install', ...options], { cwd: fresh });
    renameSync(fresh, kept);
    return packages;
  } catch {
    // Another test run may have been faster.
    return existsSync(packages) ? packages : null;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
