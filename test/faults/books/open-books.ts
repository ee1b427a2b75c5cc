import { readFile } from 'node:fs/promises';
import { COLLECTOR, COLLECTOR_ABI } from '@florin/evm/safe';
import { ensureKeys, type Platform } from '@florin/local';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { ImportOutcome, SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { CodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing/wait-for';
import mongoose from 'mongoose';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { connectCardNetwork } from '../../support/card-network.ts';
import { openOperatorChannel } from '../../support/operator-channel.ts';
import type { FaultChain } from '../chain/fault-chain.ts';
import type { Payer } from './payer.ts';

/** A service that was killed answers again by then. */
const RECOVERY_MS = 120_000;

/** Repeats a call until a service answers it. */
const untilAnswered = <T>(what: string, call: () => Promise<T>): Promise<T> =>
  waitFor(
    what,
    async () => {
      try {
        return { value: await call() };
      } catch (error) {
        if (!(error instanceof CodedError) || error.code === 'VALIDATION_FAILED') throw error;
        return undefined;
      }
    },
    RECOVERY_MS,
  ).then(({ value }) => value);

type NetworkRecord = ReturnType<typeof recordOf>;

/** The network's record of a clearing, or, with an amount below zero, of a refund. */
const recordOf = (transactionId: string, eventId: string, cents: number) => {
  const kind = { case: 'clearing', value: { network: 'visa', amount: String(cents), transactionId, eventId } } as const;
  return { source: 'operator', id: eventId, date: new Date().toISOString().slice(0, 10), currency: 'EUR', kind };
};

/** Records of one call. */
const CALL = 500;

/** Opens the books of the ledger, of settlement and of the chain, and the card network, with the operator's key. */
export const openBooks = async (platform: Platform, dataDir: string, chain: FaultChain) => {
  const operatorKey: unknown = JSON.parse(await readFile((await ensureKeys(dataDir)).keyFile('operator'), 'utf8'));
  const open = (audience: 'ledger' | 'settlement', scopes: readonly string[]) =>
    openOperatorChannel({ operatorKey }, { audience, baseUrl: platform.urls[audience], scopes });
  const channels = [open('ledger', [LEDGER_SCOPES.readBalances]), open('settlement', Object.values(SETTLEMENT_SCOPES))] as const;
  const [balances, settlement] = [channels[0].client(BalanceService), channels[1].client(SettlementService)];
  const database = await mongoose.createConnection(platform.mongodbUri, { dbName: 'florin_settlement' }).asPromise();
  const connection = connectCardNetwork(platform.urls.card, operatorKey);
  const records: NetworkRecord[] = [];

  const importRecords = async (some: readonly NetworkRecord[]): Promise<void> => {
    for (let at = 0; at < some.length; at += CALL) {
      const part = some.slice(at, at + CALL);
      const { records: outcomes } = await untilAnswered('an import', () => settlement.importRecords({ records: part }));
      for (const [index, { outcome }] of outcomes.entries())
        if (outcome !== ImportOutcome.BOOKED && outcome !== ImportOutcome.EXISTING)
          throw new Error(`record ${part[index]?.id} has the outcome ${outcome}`);
    }
  };

  /** Spent by cards and not collected, in cents: by these accounts, and waiting for them at `settlement`. */
  const uncollected = async (payers: readonly Payer[]): Promise<bigint> => {
    const { balances: system } = await balances.getSystemBalances({});
    let sum = BigInt(system.find(({ name, token }) => name === 'settlement' && token === 'EURe')?.balance ?? '0');
    for (const { accountId } of payers) {
      const { currencies } = await balances.getAccountBalances({ accountId });
      for (const { token, settling } of currencies.flatMap(({ tokens }) => tokens)) if (token === 'EURe') sum += BigInt(settling);
    }
    return sum;
  };

  /** The amount that the Collector has taken from a Safe and not returned. */
  const collected = async ({ safe }: Payer): Promise<bigint> => {
    const asked = { abi: COLLECTOR_ABI, functionName: 'collected' } as const;
    const args = [safe, chain.treasury, chain.token.address] as const;
    const data = await chain.evm.read(COLLECTOR.address, encodeFunctionData({ ...asked, args }));
    return decodeFunctionResult({ ...asked, data });
  };

  /** The amounts that the three books have, in cents, and the items that differ between the ledger and the network. */
  const read = async (payers: readonly Payer[]) => {
    const { balances: ofBooks } = await settlement.listBalances({});
    const sumOf = (isOf: (account: string) => boolean): bigint =>
      ofBooks.reduce((sum, { account, amount }) => (isOf(account) ? sum + BigInt(amount) : sum), 0n);
    const taken = await Promise.all(payers.map(collected));
    const items = await database.collection('items').countDocuments({ openSince: { $exists: true } });
    return {
      ledger: { uncollected: await uncollected(payers) },
      books: {
        uncollected: sumOf((account) => account === 'receivable'),
        treasury: sumOf((account) => account === 'treasury'),
        network: sumOf((account) => account.startsWith('payable/')),
      },
      chain: { treasury: await chain.token.balanceOf(chain.treasury), collected: taken.reduce((sum, amount) => sum + amount, 0n) },
      items,
    };
  };

  return {
    connection,
    /** Writes the network's record of an event, to be imported. */
    record: (...of: Parameters<typeof recordOf>): NetworkRecord => {
      const record = recordOf(...of);
      records.push(record);
      return record;
    },
    /** Imports records until settlement has acknowledged them. @throws Error if other content is booked under an id */
    importRecords,
    /** Imports all records there are, most of them again. */
    importAll: () => importRecords(records),
    read: (payers: readonly Payer[]) => untilAnswered('the books', () => read(payers)),
    records: () => records.length,
    close: async (): Promise<void> => {
      await Promise.all([...channels.map((channel) => channel.close()), connection.close(), database.close()]);
    },
  };
};

export type Books = Awaited<ReturnType<typeof openBooks>>;
