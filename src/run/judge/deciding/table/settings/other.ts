import { settingsRules } from './rule.ts';

/** Build files that any ecosystem may use. */
export const GENERAL_SETTINGS = settingsRules('any', [
  // make prefers GNUmakefile and makefile to Makefile, and looks for them.
  {
    what: 'make rules',
    files: ['Makefile', 'makefile', 'GNUmakefile', 'BSDmakefile', '*.mk', '*.mak'],
    planted: 'looked_for',
  },
  {
    what: 'task runner file',
    files: ['justfile', 'Justfile', '.justfile', 'Taskfile.{yml,yaml}', 'Taskfile.dist.{yml,yaml}'],
    planted: 'looked_for',
  },
  { what: 'task runner file', files: ['Earthfile', 'dodo.py'], planted: 'looked_for' },
  {
    what: 'choice of tool versions',
    files: ['.tool-versions', 'mise.toml', '.mise.toml', '.mise/**', '.config/mise/**'],
    planted: 'looked_for',
  },
  {
    what: 'environment variables',
    files: ['.envrc', '.env', '.env.!(example|sample|template|dist)'],
    planted: 'looked_for',
  },
  { what: 'Nix expression', files: ['flake.nix', 'shell.nix', 'default.nix'], planted: 'looked_for' },
]);

export const OTHER_SETTINGS = settingsRules('other', [
  { what: 'RSpec settings', files: ['.rspec', '.rspec-local'] },
  { what: 'Rake file', files: ['Rakefile', 'rakefile', 'Rakefile.rb', '*.rake', '.simplecov'] },
  { what: 'Ruby settings', files: ['.ruby-version', '.bundle/**', 'gems.rb'] },
  {
    what: 'PHP settings',
    files: [
      'phpunit.xml',
      'phpunit.xml.dist',
      'phpunit.dist.xml',
      'pest.php',
      '.user.ini',
      'php.ini',
      'codeception.yml',
    ],
  },
  { what: 'Perl settings', files: ['.proverc', 'Makefile.PL', 'Build.PL', 'dist.ini'] },
  {
    what: '.NET settings',
    files: [
      '*.runsettings',
      'xunit.runner.json',
      'Directory.*.{props,targets}',
      '[Nn]u[Gg]et.[Cc]onfig',
      'global.json',
      '*.csproj',
      '*.fsproj',
      '*.sln',
    ],
  },
  { what: 'Swift package', files: ['Package.swift', '.swift-version'] },
  { what: 'Dart settings', files: ['dart_test.yaml', 'build.yaml'] },
  { what: 'Haskell build file', files: ['cabal.project*', 'stack.yaml', '*.cabal', 'Setup.hs'] },
  { what: 'Nim settings', files: ['nim.cfg', 'config.nims', '*.nim.cfg', '*.nims'] },
  { what: 'Elixir settings', files: ['.iex.exs', 'config/test.exs', 'config/config.exs'] },
  { what: 'Lua settings', files: ['.busted', '.luacov', '.luarc'] },
]);
