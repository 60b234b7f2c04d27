import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBelow } from './seatrial.ts';

type Files = Readonly<Record<string, string>>;

interface NpmRelease {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tarball: Buffer;
}

/** A registry of npm and Python packages on this machine alone, with what a test publishes. */
export class Registry {
  readonly #server: Server;
  readonly #dir = mkdtempSync(join(tmpdir(), 'seatrial-registry-'));
  readonly #npm = new Map<string, Map<string, NpmRelease>>();
  readonly #wheels = new Map<string, Buffer>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const answer = this.#answer(decodeURIComponent((request.url ?? '').split('?')[0] ?? ''));
      response.writeHead(answer === null ? 404 : 200, { 'content-type': answer?.type ?? 'text/plain' });
      response.end(answer?.body ?? 'not found');
    });
  }

  static async open(): Promise<Registry> {
    const registry = new Registry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.#dir, { recursive: true });
  }

  publishNpm(name: string, version: string, files: Files, more: Readonly<Record<string, unknown>> = {}): void {
    const manifest = { name, version, ...more };
    const dir = join(this.#dir, 'npm', `${name}-${version}`);
    writeBelow(join(dir, 'package'), { ...files, 'package.json': JSON.stringify(manifest) });
    execFileSync('tar', ['-czf', 'made.tgz', 'package'], { cwd: dir });
    const releases = this.#npm.get(name) ?? new Map<string, NpmRelease>();
    releases.set(version, { manifest, tarball: readFileSync(join(dir, 'made.tgz')) });
    this.#npm.set(name, releases);
  }

  /** The entry of a package-lock.json for a package. */
  locked(name: string, version: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const { resolved, integrity } = this.#dist(name, version);
    return { version, resolved, integrity, ...more };
  }

  publishWheel(name: string, version: string, files: Files, requires: readonly string[] = []): void {
    const about = `${name}-${version}.dist-info`;
    const all: Files = {
      [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requires.map((one) => `Requires-Dist: ${one}\n`).join('')}`,
      [`${about}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      ...files,
    };
    const record = [...Object.keys(all), `${about}/RECORD`].map((path) => `${path},,\n`).join('');
    const dir = join(this.#dir, 'wheels', `${name}-${version}`);
    mkdirSync(dir, { recursive: true });
    const target = join(dir, 'made.whl');
    const script =
      'import json, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as archive:\n    for name, text in json.loads(sys.argv[2]).items():\n        archive.writestr(name, text)\n';
    const content = JSON.stringify({ ...all, [`${about}/RECORD`]: record });
    execFileSync('python3', ['-c', script, target, content], { env: { PATH: process.env['PATH'] } });
    this.#wheels.set(`${name}-${version}-py3-none-any.whl`, readFileSync(target));
  }

  #dist(name: string, version: string): { resolved: string; integrity: string } {
    const release = this.#npm.get(name)?.get(version);
    if (release === undefined) throw new Error(`${name} ${version} is not published`);
    const digest = createHash('sha512').update(release.tarball).digest('base64');
    return { resolved: `${this.url}/${name}/-/${name}-${version}.tgz`, integrity: `sha512-${digest}` };
  }

  #answer(path: string): { readonly type: string; readonly body: string | Buffer } | null {
    const simple = /^\/simple\/([^/]+)\/?$/.exec(path)?.[1];
    if (simple !== undefined) {
      const names = [...this.#wheels.keys()].filter((file) => file.startsWith(`${simple.replaceAll('-', '_')}-`));
      return { type: 'text/html', body: names.map((name) => `<a href="/wheels/${name}">${name}</a>\n`).join('') };
    }
    const wheel = /^\/wheels\/(.+)$/.exec(path)?.[1];
    const bytes = wheel === undefined ? undefined : this.#wheels.get(wheel);
    if (bytes !== undefined) return { type: 'application/octet-stream', body: bytes };
    const [, tarballOf, version] = /^\/(.+)\/-\/.+?-(\d+\.\d+\.\d+)\.tgz$/.exec(path) ?? [];
    const tarball = this.#npm.get(tarballOf ?? '')?.get(version ?? '')?.tarball;
    if (tarball !== undefined) return { type: 'application/octet-stream', body: tarball };
    return this.#packument(path.slice(1));
  }

  #packument(name: string): { readonly type: string; readonly body: string } | null {
    const releases = this.#npm.get(name);
    if (releases === undefined) return null;
    const versions = [...releases].map(([version, { manifest }]) => {
      const { resolved: tarball, integrity } = this.#dist(name, version);
      return [version, { ...manifest, dist: { tarball, integrity } }] as const;
    });
    const latest = versions.at(-1)?.[0];
    return {
      type: 'application/json',
      body: JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }),
    };
  }
}
