import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@florin/data/store';
import { startEngines } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { createSigningKey } from '@florin/rpc/signing-key';
import { quietLogger } from '@florin/rpc/testing';
import { createBooking } from '../../../services/settlement/src/booking/booking.ts';
import { judge } from '../../../services/settlement/src/domain/block.ts';
import { keyOf, type SettlementRecord } from '../../../services/settlement/src/domain/record.ts';
import { FIRST_SHARD } from '../../../services/settlement/src/following/follow-ledger.ts';
import { createBlockStore } from '../../../services/settlement/src/store/blocks.ts';
import { createCursorStore } from '../../../services/settlement/src/store/cursors.ts';
import { createMatchStore, type Match } from '../../../services/settlement/src/store/matches.ts';
import { residentMebibytes } from '../../support/process-memory.ts';
import { ROOT } from '../../support/settings.ts';
import type { Row } from '../row.ts';

const DATABASE = 'florin_settlement';
const DAY = '2026-11-23';
const NOW = new Date('2026-11-25T00:00:00Z');
/** Records of a block, as the import of a file makes them. */
const BLOCK = 500;
const PAYMENTS_EACH = 10;
const REPORT_EVERY = 100_000;
const LOOK_MS = 100;

const clearing = (accountId: string): { record: SettlementRecord; match: Match } => {
  const [id, amount] = [randomUUID(), BigInt(100 + Math.floor(Math.random() * 10_000))];
  const record: SettlementRecord = {
    ...{ kind: 'clearing', source: 'processor', id, date: DAY, currency: 'EUR', network: 'visa', amount },
    ...{ interchange: 14n, schemeFee: 3n, processorFee: 2n, eventId: id, transactionId: '', acquirerReference: '' },
  };
  const found = { paymentId: randomUUID(), accountId, billedAmount: String(amount), billingCurrency: 'EUR' };
  return { record, match: { key: keyOf(record), day: DAY, bookedAt: NOW, found } };
};

/** The most memory that a process was resident with, in MiB; 0 for one that is gone. */
const peakOf = (pid: number): number => {
  try {
    return residentMebibytes(pid, 'VmHWM');
  } catch {
    return 0;
  }
};

/** A report of one day with many payments, each settled as it was billed: written and verified by the command, in a process of its own. The records are booked past the RPCs. */
export const benchReports = async (payments: number, report: (line: string) => void): Promise<Row[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = processEnvironment();
  const engines = await startEngines({ dataDir, env: own, report });
  const store = await openStore({ uri: engines.mongodbUri, database: DATABASE, poolSize: 4, logger: quietLogger });
  try {
    const key = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'settlement', alg: 'EdDSA' };
    const [blocks, cursors] = [createBlockStore(store.connection), createCursorStore(store.connection)];
    createMatchStore(store.connection);
    await store.ready();
    const matches = store.connection.collection<{ _id: string }>('matches');
    let head = await blocks.head();
    let accountId = '';
    for (let done = 0; done < payments; done += BLOCK) {
      const found = Array.from({ length: Math.min(BLOCK, payments - done) }, (_, index) => {
        if (index % PAYMENTS_EACH === 0) accountId = randomUUID();
        return clearing(accountId);
      });
      const { block } = judge(
        head,
        found.map(({ record }) => record),
        new Map(),
        NOW,
      );
      if (block === undefined || !(await blocks.insert(block))) throw new Error('the records were not booked');
      head = block;
      await matches.insertMany(
        found.map(({ match: { key: _id, ...match } }) => ({ _id, ...match })),
        { ordered: false },
      );
      if (done % REPORT_EVERY === 0) report(`${done} of ${payments} payments`);
    }
    const parts = { blocks, key: createSigningKey(key as Parameters<typeof createSigningKey>[0]), now: () => NOW, grown: () => undefined };
    const { n } = await createBooking(parts).closeDay(DAY);
    await cursors.reach(n);
    await cursors.move(FIRST_SHARD, { position: '1', hash: '', completeAt: NOW });

    report(`a report of ${payments} payments`);
    const started = performance.now();
    const command = [join(ROOT, 'services/settlement/src/cli/main.ts'), 'report', DAY, join(dataDir, 'day.report')];
    const env = {
      ...own,
      MONGODB_URI: engines.mongodbUri,
      MONGODB_DATABASE: DATABASE,
      SETTLEMENT_KEY: JSON.stringify(key),
      SANDBOX: 'true',
    };
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    let [output, peak] = ['', 0];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const looking = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid ?? 0));
    }, LOOK_MS);
    const [code] = (await ended) as [number | null];
    clearInterval(looking);
    const seconds = (performance.now() - started) / 1000;
    if (code !== 0 || !output.endsWith('The books agree.\n')) throw new Error(`the report failed: ${output}`);
    return [
      { name: `report over ${payments} payments, written and verified`, value: seconds, unit: 's' },
      { name: 'most memory of the command', value: peak, unit: 'MiB' },
    ];
  } finally {
    await store.close();
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
