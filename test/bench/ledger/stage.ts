import type { Client } from '@connectrpc/connect';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { createRpcChannel } from '@florin/rpc/client';
import { createEntriesClient, type EntriesClient } from '@florin/rpc/entries';
import type { TestAuthority } from '@florin/rpc/testing/authority';
import mongoose, { type Connection } from 'mongoose';
import { type LedgerClients, openLedgerCluster } from '../../support/ledger-cluster.ts';
import { verifyLedger } from '../../support/verify-ledger.ts';

const CALL_TIMEOUT_MS = 60_000;

/** One ledger process on engines of its own. */
export type LedgerStage = {
  mongodbUri: string;
  database: Connection;
  authority: TestAuthority;
  /** Over gRPC. */
  clients: LedgerClients;
  /** As the platform's own services call it: Connect over a pool of HTTP/1.1 connections. */
  ownEntries: Client<typeof EntryService>;
  /** The same, with the entries of concurrent callers gathered. */
  coalesced: EntriesClient;
  pid: () => number;
  /**
   * Ends the process, as a deployment does unless another signal is named, and starts it again.
   * @param meanwhile work that needs the ledger's absence
   * @returns seconds from the start of the new process until it serves
   */
  restart: (signal?: NodeJS.Signals, meanwhile?: () => Promise<void>) => Promise<number>;
  /** `npm run ledger -- verify` on this ledger's engines. @throws Error when something disagrees */
  verify: () => Promise<void>;
  close: () => Promise<void>;
};

export const openLedgerStage = async (report: (line: string) => void): Promise<LedgerStage> => {
  const cluster = await openLedgerCluster({ instances: 1, respawn: false, callTimeoutMs: CALL_TIMEOUT_MS, report });
  const [instance] = cluster.instances;
  if (instance === undefined) throw new Error('no ledger');
  const { mongodbUri } = cluster.engines;
  const channel = createRpcChannel({ baseUrl: instance.url, serviceToken: cluster.token, timeoutMs: CALL_TIMEOUT_MS });
  const database = await mongoose.createConnection(mongodbUri, { dbName: 'florin_ledger' }).asPromise();
  return {
    mongodbUri,
    database,
    authority: cluster.authority,
    clients: instance.clients,
    ownEntries: channel.client(EntryService),
    coalesced: createEntriesClient(channel),
    pid: () => instance.pid() ?? 0,
    restart: async (signal, meanwhile) => {
      await instance.stop(signal);
      await meanwhile?.();
      const started = performance.now();
      await instance.start();
      return (performance.now() - started) / 1000;
    },
    verify: async () => {
      const { ok, bad } = await verifyLedger(cluster.engines);
      if (!ok) throw new Error(`the journal does not verify: block ${bad?.block}: ${bad?.problem}`);
    },
    close: async () => {
      await database.close();
      await channel.close();
      await cluster.close();
    },
  };
};
