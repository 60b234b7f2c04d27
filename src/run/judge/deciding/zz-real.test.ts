import { readdirSync, readFileSync, lstatSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'vitest';
import { importsOf } from '../syntax/imports.ts';
import { mapProduct } from './product/map-product.ts';
import type { BaseFacts } from './facts.ts';
const ROOT = '/tmp/w10a-repos';
function walk(dir: string, root: string, out: string[], links: Map<string, string>) {
  for (const n of readdirSync(dir)) {
    if (n === '.git') continue;
    const p = join(dir, n);
    const s = lstatSync(p);
    if (s.isSymbolicLink()) {
      links.set(relative(root, p), readlinkSync(p));
      out.push(relative(root, p));
    } else if (s.isDirectory()) walk(p, root, out, links);
    else out.push(relative(root, p));
  }
}
for (const repo of (process.env['REPOS'] ?? readdirSync(ROOT).join(',')).split(','))
  test(
    repo,
    async () => {
      const root = join(ROOT, repo);
      const paths: string[] = [];
      const links = new Map<string, string>();
      walk(root, root, paths, links);
      const facts: BaseFacts = {
        found_by: 'names',
        runner: 'pytest',
        ecosystems: [],
        collected: paths.filter(
          (p) =>
            /(^|\/)(test_[^/]*\.py|[^/]*_test\.go|[^/]*\.(test|spec)\.[jt]sx?)$/.test(p) ||
            /^(test|tests)\/.*\.(js|ts|rs)$/.test(p),
        ),
        failing: [],
        read: [],
        looked_for: [],
        links_passed: [],
        folders_listed: [],
        written: [],
        outside_modules: [],
        search_path: null,
        starts_runner: [],
        before_runner: [],
      };
      const read = (p: string) => {
        try {
          return readFileSync(join(root, p), 'utf8');
        } catch {
          return null;
        }
      };
      const t = performance.now();
      const map = await mapProduct({ paths, links, read }, facts, importsOf);
      const by: Record<string, string[]> = {};
      for (const [p, r] of map.roles)
        (by[
          `${r.kind}${r.kind === 'product' && !r.certain ? '?' : ''}:${r.why} ${r.kind === 'product' ? '' : r.detail}`
        ] ??= []).push(p);
      console.log(
        `== ${repo} ${paths.length} files, ${Math.round(performance.now() - t)} ms, awaited ${map.awaited.size}`,
      );
      for (const [k, v] of Object.entries(by)) console.log(`  ${k} ${v.length}: ${v.sort().join(' ')}`);
      const none = paths.filter((p) => !map.roles.has(p) && /\.(py|[cm]?[jt]sx?|go|rs|c|h|cc|cpp|sh|java|rb)$/.test(p));
      console.log(`  no role ${none.length}: ${none.slice(0, 80).join(' ')}`);
    },
    600_000,
  );
