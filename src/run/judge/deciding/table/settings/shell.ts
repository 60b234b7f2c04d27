import { settingsRules } from './rule.ts';

export const SHELL_SETTINGS = settingsRules('shell', [
  { what: 'bats settings', files: ['setup_suite.bash', '.bats', '.batsrc', 'bats.conf'] },
  { what: 'shellspec settings', files: ['.shellspec', '.shellspec-*', 'spec_helper.sh'], changed: 'used' },
  {
    what: 'start-up file of a shell',
    files: [
      '.bashrc',
      '.bash_profile',
      '.bash_login',
      '.bash_env',
      '.profile',
      '.kshrc',
      '.zshenv',
      '.zshrc',
      '.zprofile',
      '.inputrc',
    ],
    planted: 'looked_for',
  },
]);
