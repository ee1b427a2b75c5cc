import { runCommand } from './run-on-engines.ts';

/** `npm run settle -- <command>`. Closed days and reports are signed. */
runCommand({
  program: 'services/settlement/src/cli/main.ts',
  commands: ['import', 'close', 'balances', 'report', 'daily', 'export'],
  key: { variable: 'SETTLEMENT_KEY', file: 'settlementKeyFile' },
});
