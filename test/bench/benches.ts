import { benchApp } from './app/index.ts';
import { benchCards } from './cards.ts';
import { benchChain } from './chain/index.ts';
import { benchEventStreams } from './event-streams.ts';
import { benchEvents } from './events/index.ts';
import { benchGateway } from './gateway.ts';
import { benchGatewayMemory } from './gateway-memory.ts';
import { benchIdentity } from './identity.ts';
import { benchIdentityMemory } from './identity-memory.ts';
import { benchFailover } from './ledger/failover.ts';
import { benchLedger, benchLedgerScale, benchLedgerThroughput } from './ledger/index.ts';
import { benchNotifications } from './notifications.ts';
import { benchRelayer } from './relayer.ts';
import type { Row } from './row.ts';
import { benchSettlement } from './settlement/index.ts';
import { benchStart } from './start.ts';
import { benchThreeds } from './threeds.ts';
import { benchTraces } from './traces.ts';

/** The benchmarks by name. Each is a function that returns rows. */
export const BENCHES: Readonly<Record<string, (report: (line: string) => void) => Promise<Row[]>>> = {
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
  relayer: benchRelayer,
  settlement: benchSettlement,
  events: benchEvents,
  identity: benchIdentity,
  'identity-memory': benchIdentityMemory,
  traces: benchTraces,
  notifications: benchNotifications,
  app: benchApp,
};
