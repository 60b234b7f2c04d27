import { loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { systemClock } from '../../kernel/clock.ts';
import { entriesDir } from '../../run/cache/entries.ts';
import { BaseCache, type BaseCachePlace } from '../../run/trees/base-cache.ts';
import { callerTools } from './run-environment.ts';

/** Null: there is no place for it, or nothing would keep an engine from changing it. */
export function openBaseCache(
  confine: 'bubblewrap' | 'none' = 'bubblewrap',
  checks: BaseCachePlace['checks'] = 'first',
): BaseCache | null {
  const { cacheDir } = callerTools();
  if (cacheDir === null || confine === 'none') return null;
  return new BaseCache({
    dir: entriesDir(cacheDir, 'tree'),
    key: () => loadOrCreateKey(process.env),
    clock: systemClock,
    checks,
  });
}
