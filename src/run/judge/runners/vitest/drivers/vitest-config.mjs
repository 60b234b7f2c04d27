/** For sealed tests: nothing that the tree configures has a say. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';

const { plan } = createRequire(import.meta.url)('../../shared/node/drivers/channel.cjs');

// oxlint-disable-next-line import/no-default-export -- that is how vitest finds a configuration
export default {
  root: plan.workspace,
  cacheDir: `${tmpdir()}/vite`,
  // Given here, vite does not look for a file of the tree, which it would run in this process.
  css: { postcss: {} },
  envDir: false,
  test: { dir: plan.tests, globals: true, environment: 'node', watch: false },
};
