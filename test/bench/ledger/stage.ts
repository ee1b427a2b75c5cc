import type { Client } from '@connectrpc/connect';
import { createRpcChannel } from '@florin/kit/rpc';
import type { TestAuthority } from '@florin/kit/testing/authority';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import mongoose, { type Connection } from 'mongoose';
import { type LedgerClients, openLedgerCluster } from '../../support/ledger-cluster.ts';

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
  pid: () => number;
  /** Ends the process as a deployment does, starts it again, and waits until it serves. */
  restart: () => Promise<void>;
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
    pid: () => instance.pid() ?? 0,
    restart: async () => {
      await instance.stop();
      await instance.start();
    },
    close: async () => {
      await database.close();
      await channel.close();
      await cluster.close();
    },
  };
};
