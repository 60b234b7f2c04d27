import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { dataDir, readJson } from '../settings.ts';

/** Case runs its agents with the library of pi, which has its own files and settings. */
export function piDir(): string {
  return resolve(process.env['PI_CODING_AGENT_DIR'] ?? join(process.env['HOME'] ?? '/', '.pi', 'agent'));
}

const PACKAGE = { name: 'pi', version: '0.0.0-stand-in', piConfig: { name: 'pi', configDir: '.pi' } };

/** Writes the files that pi creates at every start. */
export function layPiFiles(): void {
  const auth = join(piDir(), 'auth.json');
  if (!existsSync(auth)) {
    mkdirSync(piDir(), { recursive: true });
    writeFileSync(auth, '{}', { mode: 0o600 });
  }
  if (process.env['PI_PACKAGE_DIR']) return;
  const dir = join(dataDir(), 'pi-package');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(PACKAGE)}\n`);
  process.env['PI_PACKAGE_DIR'] = dir;
}

const packageFile = z.object({ piConfig: z.object({ configDir: z.string() }) });
const settingsFile = z.object({ shellPath: z.optional(z.string()) });

/** A repository's settings override the user's, so it can choose any program as the shell. */
export function shellPath(): string {
  const about = packageFile.safeParse(readJson(join(process.env['PI_PACKAGE_DIR'] ?? '', 'package.json')).value).data;
  const dir = about?.piConfig.configDir ?? PACKAGE.piConfig.configDir;
  const candidates = [join(process.cwd(), dir, 'settings.json'), join(piDir(), 'settings.json')];
  const named = candidates.map((path) => settingsFile.safeParse(readJson(path).value).data?.shellPath);
  const chosen = named.find((path) => path !== undefined);
  if (chosen === undefined) return existsSync('/bin/bash') ? '/bin/bash' : 'sh';
  if (!existsSync(chosen)) throw new Error(`Custom shell path not found: ${chosen}`);
  return chosen;
}
