import { settingsRules } from './rule.ts';

export const RUST_SETTINGS = settingsRules('rust', [
  { what: 'Cargo settings', files: ['.cargo/**'] },
  { what: 'choice of a Rust toolchain', files: ['rust-toolchain', 'rust-toolchain.toml'] },
  { what: 'build script', files: ['build.rs'], planted: 'anywhere' },
  { what: 'nextest settings', files: ['.config/nextest.toml', 'nextest.toml', 'nextest/*.toml'] },
  { what: 'cross-compilation settings', files: ['Cross.toml'], planted: 'looked_for' },
]);
