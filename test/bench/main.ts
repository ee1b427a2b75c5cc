import { parseArgs } from 'node:util';
import { benchAgainst } from './against.ts';
import { benchApp } from './app/index.ts';
import { benchCards } from './cards.ts';
import { benchCardsAgainst } from './cards-against.ts';
import { benchChain } from './chain/index.ts';
import { benchEventStreams } from './event-streams.ts';
import { benchEvents } from './events/index.ts';
import { benchGateway } from './gateway.ts';
import { benchGatewayMemory } from './gateway-memory.ts';
import { benchIdentity } from './identity.ts';
import { benchIdentityMemory } from './identity-memory.ts';
import { benchFailover } from './ledger/failover.ts';
import { benchLedger, benchLedgerScale, benchLedgerThroughput } from './ledger/index.ts';
import { printTable, type Row } from './row.ts';
import { benchStart } from './start.ts';
import { benchThreeds } from './threeds.ts';
import { benchTokenChecks } from './token-checks.ts';
import { benchTraces } from './traces.ts';

/** `npm run bench -- NAME [--json]`, or `cards`, `decisions`, `sign-ins` and `token-checks` with `--against DIR`. A benchmark is a function that returns rows, registered here by name. */
const BENCHES: Readonly<Record<string, (report: (line: string) => void) => Promise<Row[]>>> = {
  start: benchStart,
  gateway: benchGateway,
  'gateway-memory': benchGatewayMemory,
  'event-streams': benchEventStreams,
  ledger: benchLedger,
  'ledger-throughput': benchLedgerThroughput,
  'ledger-scale': benchLedgerScale,
  'ledger-failover': benchFailover,
  threeds: benchThreeds,
  cards: benchCards,
  chain: benchChain,
  events: benchEvents,
  identity: benchIdentity,
  'identity-memory': benchIdentityMemory,
  traces: benchTraces,
  app: benchApp,
};

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, against: { type: 'string' } },
  allowPositionals: true,
});
const [name = ''] = positionals;
const { against } = values;

const benchOf = (): ((report: (line: string) => void) => Promise<Row[]>) | undefined => {
  if (against === undefined) return BENCHES[name];
  if (name === 'cards') return (report) => benchCardsAgainst(against, report);
  if (name === 'token-checks') return (report) => benchTokenChecks(against, report);
  return name === 'decisions' || name === 'sign-ins' ? (report) => benchAgainst(name, against, report) : undefined;
};

const bench = benchOf();
if (bench === undefined) {
  const names = Object.keys(BENCHES).join(', ');
  process.stderr.write(
    `usage: npm run bench -- NAME [--json], NAME one of: ${names}\n       npm run bench -- cards|decisions|sign-ins|token-checks --against DIR [--json]\n`,
  );
  process.exitCode = 2;
} else {
  // Progress goes to stderr, so that stdout contains only the result.
  const rows = await bench((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : printTable(rows));
}
