import { runCommand } from './run-on-engines.ts';

/** `npm run ledger -- <command>`. Heads are signed. */
runCommand({
  program: 'services/ledger/src/cli/main.ts',
  commands: ['verify', 'rebuild', 'snapshot', 'prove', 'export', 'import', 'archive'],
  key: { variable: 'LEDGER_HEAD_KEY', file: 'ledgerHeadKeyFile' },
});
