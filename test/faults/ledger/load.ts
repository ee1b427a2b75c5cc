import { randomBytes, randomUUID } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { createCorrections } from './corrections.ts';
import type { Patient } from './patient.ts';

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';
const TOKEN = 'EURe';
/** Actor and reason of decisions about deposits. */
const DECIDED = { actor: 'operator', reason: 'a fault run' };

export type FaultAccount = { accountId: string; userId: string };

/** The final results that callers were given. */
export type Told = {
  /** Ids of the journal's entries that were acknowledged. */
  written: Set<string>;
  /** Ids of entries that were refused. */
  refused: Set<string>;
  /** The booked and free amount, less debt, by account, as far as callers know. */
  available: Map<string, bigint>;
  operations: number;
  /** Entries by which a user has paid another. */
  betweenUsers: number;
};

/** The parts that kinds of work share. */
export type LoadOptions = {
  patient: Patient;
  told: Told;
  pick: () => FaultAccount;
  amount: () => bigint;
  /** Notes what an account has more, or less. */
  add: (accountId: string, delta: bigint) => void;
  token: string;
};

export const newTold = (): Told => ({ written: new Set(), refused: new Set(), available: new Map(), operations: 0, betweenUsers: 0 });

export const openFaultAccounts = async (patient: Patient, count: number): Promise<FaultAccount[]> => {
  const accounts: FaultAccount[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = { accountId: randomUUID(), userId: randomUUID() };
    await patient.ask(({ accounts: rpc }) => rpc.openAccount({ ...account, kycProfileId: account.userId, safeOwnerAddress: OWNER }));
    await patient.ask(({ accounts: rpc }) => rpc.activateAccount({ accountId: account.accountId }));
    accounts.push(account);
  }
  return accounts;
};

/** With several shards, some pairs of accounts cannot pay each other. */
const REFUSED: ReadonlySet<EntryResultCode> = new Set([EntryResultCode.INSUFFICIENT_FUNDS, EntryResultCode.ACCOUNTS_IN_DIFFERENT_SHARDS]);

const WRITTEN: ReadonlySet<EntryResultCode> = new Set([EntryResultCode.CREATED, EntryResultCode.EXISTS]);

const txHash = (): string => `0x${randomBytes(32).toString('hex')}`;

/** Random work of platform services on a few accounts, each operation carried to its definite answer. */
export const createLoad = (patient: Patient, accounts: readonly FaultAccount[], told: Told, random: () => number) => {
  const pick = (): FaultAccount => accounts[Math.floor(random() * accounts.length)] ?? { accountId: '', userId: '' };
  const otherThan = (accountId: string): string => {
    const other = pick().accountId;
    return other === accountId ? 'fees' : other;
  };
  const isUser = (name: string): boolean => accounts.some(({ accountId }) => accountId === name);
  const amount = (): bigint => BigInt(1 + Math.floor(random() * 50));
  const add = (accountId: string, delta: bigint): void => {
    told.available.set(accountId, (told.available.get(accountId) ?? 0n) + delta);
  };

  /** A batch of entries among accounts, and between them and the outside; some of them overdraw on purpose. */
  const entries = async (): Promise<void> => {
    const batch = Array.from({ length: 1 + Math.floor(random() * 20) }, () => {
      const [{ accountId }, value, dice] = [pick(), amount(), random()];
      const outside = random() < 0.8 ? 'settlement' : 'fees';
      const [debit, credit] = dice < 0.4 ? ['settlement', accountId] : [accountId, dice < 0.7 ? outside : otherThan(accountId)];
      return { id: randomUUID(), debit, credit, value };
    });
    const request = batch.map(({ id, debit, credit, value }) => ({
      entryId: id,
      transfers: [{ debit, credit, token: TOKEN, amount: value.toString() }],
    }));
    const { results } = await patient.ask(({ entries: rpc }) => rpc.createEntries({ entries: request }));
    results.forEach(({ code }, index) => {
      const entry = batch[index];
      if (entry === undefined) return;
      if (!WRITTEN.has(code)) {
        if (!REFUSED.has(code)) throw new Error(`an entry was answered with code ${code}`);
        told.refused.add(entry.id);
        return;
      }
      told.written.add(entry.id);
      if (isUser(entry.debit) && isUser(entry.credit)) told.betweenUsers += 1;
      add(entry.debit, -entry.value);
      add(entry.credit, entry.value);
    });
  };

  /** A hold that is posted in part, voided, or left to run out. */
  const hold = async (): Promise<void> => {
    const { accountId } = pick();
    const value = amount() + 1n;
    const id = randomUUID();
    const short = random() < 0.3;
    const request = {
      entryId: id,
      holdExpiresAt: { seconds: BigInt(Math.floor(Date.now() / 1000) + (short ? 3 : 3600)), nanos: 0 },
      transfers: [{ debit: accountId, credit: 'settlement', token: TOKEN, amount: value.toString() }],
    };
    const { results } = await patient.ask(({ entries: rpc }) => rpc.createEntries({ entries: [request] }));
    const code = results[0]?.code ?? EntryResultCode.UNSPECIFIED;
    if (!WRITTEN.has(code)) {
      told.refused.add(id);
      return;
    }
    told.written.add(id);
    // Holds that are left to run out return by themselves: in the end they have not moved.
    if (short) return;
    const name = { accountId, holdId: id };
    if (random() < 0.5) {
      await patient.ask(({ holds: rpc }) => rpc.voidHold(name));
    } else {
      await patient.ask(({ holds: rpc }) => rpc.postHold({ ...name, amount: '1' }));
      add(accountId, -1n);
    }
    told.written.add(`hold/${id}/ended`);
  };

  const deposit = async (): Promise<void> => {
    const { accountId } = pick();
    const value = amount();
    const event = { accountId, chainId: 100, txHash: txHash(), logIndex: 0, token: TOKEN, amount: value.toString() };
    const { deposit: seen } = await patient.ask(({ movements }) => movements.recordDeposit(event));
    const approve = random() < 0.8;
    const status = approve ? DepositStatus.APPROVED : DepositStatus.REJECTED;
    await patient.ask(({ movements }) => movements.resolveDeposit({ depositId: seen?.id ?? '', status, metadata: DECIDED }));
    told.written.add(`deposit/100/${event.txHash}/0/seen`).add(`deposit/${seen?.id}/resolved`);
    if (approve) add(accountId, value);
  };

  const withdrawal = async (): Promise<void> => {
    const { accountId } = pick();
    const value = amount();
    const id = randomUUID();
    const order = { withdrawalId: id, accountId, token: TOKEN, amount: value.toString(), txHash: txHash() };
    try {
      await patient.ask(({ movements }) => movements.createWithdrawal(order));
    } catch (error) {
      if (ConnectError.from(error).code !== Code.FailedPrecondition) throw error;
      told.refused.add(`withdrawal/${id}/created`);
      return;
    }
    const done = random() < 0.7;
    const status = done ? WithdrawalStatus.COMPLETED : WithdrawalStatus.FAILED;
    await patient.ask(({ movements }) => movements.updateWithdrawal({ withdrawalId: id, status }));
    told.written.add(`withdrawal/${id}/created`).add(`withdrawal/${id}/ended`);
    if (done) add(accountId, -value);
  };

  const corrections = createCorrections({ patient, told, pick, amount, add, token: TOKEN });

  return async (): Promise<void> => {
    const dice = random();
    const correction = corrections[Math.floor(random() * corrections.length)] ?? entries;
    await (dice < 0.45 ? entries() : dice < 0.6 ? hold() : dice < 0.7 ? deposit() : dice < 0.8 ? withdrawal() : correction());
    told.operations += 1;
  };
};
