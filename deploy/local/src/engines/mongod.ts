import { mkdirSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { freePort } from '../free-port.ts';
import type { EngineContext, RunningEngine } from './provider.ts';
import { type MemberState, replicaSetStep } from './replica-set.ts';
import { runningProcesses } from './running.ts';

const SET = 'florin';
const PROBE_TIMEOUT_MS = 2_000;
/** MongoDB's error code for a replica set that has not been initiated. */
const NOT_YET_INITIALIZED = 94;

/** Runs mongod as a replica set with one member, which change streams and retryable writes require. */
export const startMongod = async (context: EngineContext, program: string, label: string): Promise<RunningEngine> => {
  const dbPath = context.dataDir.engine('mongodb');
  mkdirSync(dbPath, { recursive: true, mode: 0o700 });
  const port = context.port ?? (await freePort());
  const host = `127.0.0.1:${port}`;
  const server = await context.supervisor.start({
    name: 'mongod',
    tier: 0,
    command: program,
    args: ['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', SET, '--quiet'],
    isReady: () => isPrimary(host),
    signalWhenOrphaned: 'SIGTERM',
    stopTimeoutMs: 20_000,
  });
  const uri = `mongodb://${host}/?replicaSet=${SET}&directConnection=true`;
  return runningProcesses(uri, `${label}, ${host}`, [server]);
};

/** Initiates or reconfigures the replica set if necessary, and resolves with whether the server is its primary. */
const isPrimary = async (host: string): Promise<boolean> => {
  const timeouts = { serverSelectionTimeoutMS: PROBE_TIMEOUT_MS, connectTimeoutMS: PROBE_TIMEOUT_MS };
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { ...timeouts, maxPoolSize: 1 });
  try {
    const admin = (await client.connect()).db('admin');
    const step = replicaSetStep(await memberState(client), SET, host);
    if (step !== undefined) await admin.command(step);
    return (await admin.command({ hello: 1 }))['isWritablePrimary'] === true;
  } finally {
    await client.close();
  }
};

const memberState = async (client: MongoClient): Promise<MemberState> => {
  try {
    const { config } = await client.db('admin').command({ replSetGetConfig: 1 });
    return { initiated: true, config };
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_YET_INITIALIZED) return { initiated: false };
    throw error;
  }
};
