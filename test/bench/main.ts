import { benchGateway } from './gateway.ts';
import { benchGatewayMemory } from './gateway-memory.ts';
import { benchIdentity } from './identity.ts';
import { benchIdentityMemory } from './identity-memory.ts';
import { benchLedger, benchLedgerScale, benchLedgerThroughput } from './ledger/index.ts';
import { printTable, type Row } from './row.ts';
import { benchStart } from './start.ts';
import { benchThreeds } from './threeds.ts';

/** `npm run bench -- NAME [--json]`. A benchmark is a function that returns rows, registered here by name. */
const BENCHES: Readonly<Record<string, (report: (line: string) => void) => Promise<Row[]>>> = {
  start: benchStart,
  gateway: benchGateway,
  'gateway-memory': benchGatewayMemory,
  ledger: benchLedger,
  'ledger-throughput': benchLedgerThroughput,
  'ledger-scale': benchLedgerScale,
  threeds: benchThreeds,
  identity: benchIdentity,
  'identity-memory': benchIdentityMemory,
};

const [name, ...flags] = process.argv.slice(2);
const bench = name === undefined ? undefined : BENCHES[name];
const unknown = flags.filter((flag) => flag !== '--json');
if (bench === undefined || unknown.length > 0) {
  process.stderr.write(`usage: npm run bench -- NAME [--json], NAME one of: ${Object.keys(BENCHES).join(', ')}\n`);
  process.exitCode = 2;
} else {
  // Progress goes to stderr, so that stdout contains only the result.
  const rows = await bench((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(flags.includes('--json') ? `${JSON.stringify(rows, null, 2)}\n` : printTable(rows));
}
