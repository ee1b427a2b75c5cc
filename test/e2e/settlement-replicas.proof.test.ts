import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { ImportOutcome, SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import type { RpcChannel } from '@florin/rpc/client';
import { processEnvironment } from '@florin/rpc/config';
import { testPort } from '@florin/rpc/testing';
import { waitFor } from '@florin/rpc/testing/wait-for';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

const MAIN = new URL('../../services/settlement/src/main.ts', import.meta.url).pathname;
const KILLER = createRequire(import.meta.url).resolve('@florin/data/testing/kill-at-step');

const WAIT_MS = 120_000;
const PAYMENTS = 12;
/** Writes of one process to the books and to what it derives from them, before each of which it is killed once. */
const KILLS = 6;

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** The network's record of a clearing. A payment in dollars is settled at a rate of the network's. */
const recordOf = ({ transactionId, eventId, cents }: { transactionId: string; eventId: string; cents: number }) => ({
  ...{ source: 'operator', id: eventId, date: yesterday, currency: 'EUR' },
  kind: { case: 'clearing', value: { network: 'visa', amount: String(cents), transactionId, eventId } } as const,
});
type NetworkRecord = ReturnType<typeof recordOf>;

describe('two processes of settlement', { timeout: 600_000 }, () => {
  let platform: PlatformInProcess;
  let network: CardNetwork;
  let cardId: string;
  let directory: string;
  let database: mongoose.Connection;
  const replicas: { process: ServiceProcess; channel: RpcChannel }[] = [];

  const newReplica = async (name: string, more: NodeJS.ProcessEnv, flags: readonly string[] = []): Promise<ServiceProcess> => {
    const port = await testPort();
    const key = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: name, alg: 'EdDSA' };
    const own = { ...processEnvironment(), ...platform.environment('settlement', port), SETTLEMENT_KEY: JSON.stringify(key) };
    const command = [process.execPath, ...flags, MAIN] as const;
    const logFile = join(directory, `${name}.log`);
    return createServiceProcess({
      name,
      url: `http://127.0.0.1:${port}`,
      command: [...command],
      env: { ...own, ...more },
      logFile,
      respawn: false,
    });
  };

  /** Pays by card, every third time in dollars. @returns the records of the network */
  const pay = async (count: number): Promise<NetworkRecord[]> => {
    const records: NetworkRecord[] = [];
    for (let index = 0; index < count; index += 1) {
      const payment = network.payment(cardId);
      const amount = { amount: '1000', currency: index % 3 === 0 ? 'USD' : 'EUR', decimals: 2 };
      expect(await payment.authorize(1000, { amount })).toMatchObject({ approved: true });
      const event = payment.event();
      await payment.clear(1000, { event, amount });
      const cents = amount.currency === 'USD' ? 800 : 1000;
      records.push(recordOf({ transactionId: payment.transactionId, eventId: event.eventId ?? '', cents }));
    }
    return records;
  };

  beforeAll(async () => {
    // The clock of the other processes.
    const clock = { now: () => new Date(), advanceSeconds: () => undefined };
    platform = await startPlatformInProcess({ FX_RATES: '{"USD":"0.8"}' }, { clock });
    network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
    directory = await mkdtemp(join(tmpdir(), 'florin-replicas-'));
    const { token } = await registerPerson(platform.api);
    await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: String(5000n * 10n ** 18n) });
    cardId = await createCard(platform.api, token);
    for (const name of ['first', 'second']) {
      const process = await newReplica(name, {});
      const scopes = Object.values(SETTLEMENT_SCOPES);
      replicas.push({ process, channel: openOperatorChannel(platform, { audience: 'settlement', baseUrl: process.url, scopes }) });
    }
    const dbName = platform.environment('settlement', 0)['MONGODB_DATABASE'] ?? '';
    database = await mongoose.createConnection(platform.databases.mongodbUri, { dbName }).asPromise();
    await Promise.all(replicas.map(({ process }) => process.start()));
  }, 240_000);
  afterAll(async () => {
    for (const { process, channel } of replicas) {
      await channel.close();
      await process.stop();
    }
    await network?.close();
    await database?.dropDatabase();
    await database?.close();
    await platform?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const clients = () => replicas.map(({ channel }) => channel.client(SettlementService));
  const balances = async () => {
    const found = await Promise.all(clients().map((client) => client.listBalances({})));
    const [one, other] = found.map((answer) => Object.fromEntries(answer.balances.map(({ account, amount }) => [account, Number(amount)])));
    expect(one).toEqual(other);
    return one ?? {};
  };

  /** Waits until all records are matched, and each payment's item has the same on both sides. @param paid number of the payments */
  const untilMatched = (paid: number) =>
    waitFor(
      'every payment to agree',
      async () => {
        const items = database.collection<{ openSince?: Date; parts: { key: string }[] }>('items');
        const agreed = (await items.find({ openSince: { $exists: false } }).toArray()).filter(({ parts }) => parts.length > 1);
        return agreed.length === paid && (await items.countDocuments()) === paid ? agreed : undefined;
      },
      WAIT_MS,
    );

  it('import the same records, match them and close the same day at once: each is booked by one, and the close is one', async () => {
    const records = await pay(PAYMENTS);
    const importBy = async (client: ReturnType<typeof clients>[number], inOrder: readonly NetworkRecord[]) => {
      const outcomes: ImportOutcome[] = [];
      for (let at = 0; at < inOrder.length; at += 3)
        for (const { outcome } of (await client.importRecords({ records: inOrder.slice(at, at + 3) })).records) outcomes.push(outcome);
      return outcomes;
    };
    const outcomes = await Promise.all(clients().map((client) => importBy(client, records)));
    const count = (of: ImportOutcome) => outcomes.flat().filter((one) => one === of).length;
    expect([count(ImportOutcome.BOOKED), count(ImportOutcome.EXISTING)]).toEqual([PAYMENTS, PAYMENTS]);

    // Both follow the ledger, match, and book conversions meanwhile.
    const agreed = await untilMatched(PAYMENTS);
    const keys = agreed.flatMap(({ parts }) => parts.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
    const dollars = PAYMENTS / 3;
    // Billed at 0.8 with a mark-up of 1 %, and settled at 0.8.
    const billed = (PAYMENTS - dollars) * 1000 + dollars * 808;
    expect(await balances()).toEqual({
      receivable: billed,
      fx_income: -8 * dollars,
      [`payable/visa/${yesterday}`]: 8 * dollars - billed,
    });

    const closes = await Promise.all(clients().map((client) => client.closeDay({ day: yesterday })));
    expect(closes[0]).toEqual(closes[1]);
    expect(closes[0]?.close).toMatchObject({ records: BigInt(PAYMENTS + dollars) });
    const blocks = await database.collection<{ _id: number; close?: object }>('blocks').find().sort({ _id: 1 }).toArray();
    expect(blocks.filter(({ close }) => close !== undefined)).toHaveLength(1);
    expect(blocks.map(({ _id }) => _id)).toEqual(blocks.map((_, index) => index + 1));
  });

  it('go on when one is killed before any of its writes', async () => {
    const before = await balances();
    const [survivor] = clients();
    let paid = PAYMENTS;
    for (let step = 1; step <= KILLS; step += 1) {
      const env = { KILL_AT_STEP: String(step), KILL_COLLECTIONS: 'blocks,items,matches,cursors' };
      const mortal = await newReplica(`mortal-${step}`, env, ['--import', KILLER]);
      const records = await pay(3);
      paid += records.length;
      const starting = mortal.start().catch(() => undefined);
      const untilKilled = () =>
        waitFor(`${mortal.name} to be killed`, async () => (mortal.endedBy() === 'SIGKILL' ? true : undefined), WAIT_MS);
      await Promise.race([starting, untilKilled().catch(() => undefined)]);
      const scopes = [SETTLEMENT_SCOPES.writeRecords];
      const channel = openOperatorChannel(platform, { audience: 'settlement', baseUrl: mortal.url, scopes });
      for (const record of records)
        await channel
          .client(SettlementService)
          .importRecords({ records: [record] })
          .catch(() => undefined);
      await channel.close();
      // Before the other one makes the writes that are left.
      await untilKilled().finally(() => mortal.stop('SIGKILL'));
      await survivor?.importRecords({ records });
    }
    await untilMatched(paid);
    const dollars = KILLS;
    const after = await balances();
    const change = (account: string): number => (after[account] ?? 0) - (before[account] ?? 0);
    expect(change('receivable')).toBe(KILLS * 2000 + dollars * 808);
    expect(change('fx_income')).toBe(-8 * dollars);
    expect(Object.values(after).reduce((sum, amount) => sum + amount, 0)).toBe(0);
  });
});
