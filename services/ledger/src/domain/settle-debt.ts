import type { Amount } from '@florin/rpc/money';
import { balanceOf } from './account-state.ts';
import { type Move, movesOf } from './apply-entry.ts';
import { isForced, type Proposal, type Transfer } from './entry.ts';
import { userAccount } from './ledger-account.ts';
import type { StateReader } from './shard-state.ts';

const AVAILABLE = '/available';
const SETTLING = '/settling';
const SETTLEMENT = 'settlement';

const ownerOf = (name: string, bucket: string): string | undefined => (name.endsWith(bucket) ? name.slice(0, -bucket.length) : undefined);

const isOwing = (state: StateReader, { to, transfer }: Move): boolean => {
  if (to.owner === 'system' || to.bucket !== 'available') return false;
  const account = state.account(to.accountId);
  return account !== undefined && balanceOf(account, transfer.token, 'debt') < 0n;
};

const isAnyOwing = (state: StateReader, moves: readonly Move[]): boolean => {
  for (const move of moves) if (isOwing(state, move)) return true;
  return false;
};

/** The rest of an account's money in one token in the course of an entry. */
type Purse = { accountId: string; token: string; settling: Amount; available: Amount; debt: Amount };

const createPurses = (state: StateReader) => {
  const purses = new Map<string, Purse>();
  /** The purse of a ledger account's owner; undefined unless it is available or settling money of an account that is open. */
  const find = (name: string, token: string): Purse | undefined => {
    const accountId = ownerOf(name, AVAILABLE) ?? ownerOf(name, SETTLING);
    const account = accountId === undefined ? undefined : state.account(accountId);
    if (accountId === undefined || account === undefined) return undefined;
    const key = `${accountId} ${token}`;
    const [settling, available, debt] = [
      balanceOf(account, token, 'settling'),
      balanceOf(account, token, 'available'),
      balanceOf(account, token, 'debt'),
    ];
    const purse = purses.get(key) ?? { accountId, token, settling, available, debt };
    purses.set(key, purse);
    return purse;
  };
  return { find, all: () => purses.values() };
};

const atMost = (balance: Amount, amount: Amount): Amount => (balance < amount ? balance : amount);

/** A debit of settling money. What is missing there is the operator's to give: a collection has taken more than was spent, or what is refunded was collected before. */
const settle = (purse: Purse, transfer: Transfer): Transfer[] => {
  const { debit, token, amount } = transfer;
  const missing = amount - atMost(purse.settling, amount);
  purse.settling -= amount - missing;
  return [...(missing > 0n ? [{ debit: SETTLEMENT, credit: debit, token, amount: missing }] : []), transfer];
};

/** A debit of available money as far as there is any, and of debt. */
const overdraw = (purse: Purse, transfer: Transfer): Transfer[] => {
  const covered = atMost(purse.available, transfer.amount);
  const owed = transfer.amount - covered;
  purse.available -= covered;
  purse.debt -= owed;
  const parts = [
    { ...transfer, amount: covered },
    { ...transfer, debit: userAccount(purse.accountId, 'debt'), amount: owed },
  ];
  return parts.filter(({ debit, credit, amount }) => amount > 0n && debit !== credit);
};

/**
 * Adds the transfers that a forced entry and debt require. A forced debit of settling money takes from `settlement` what is not covered at its turn, and one of available
 * money takes `debt`; and at the end of the entry, what is in `available` repays `debt`, each by a transfer of its own. So `available` and `debt` are
 * never both other than zero, and the journal shows which part of every amount was owed.
 */
export const settleDebt = (state: StateReader, entry: Proposal, moves: readonly Move[] = movesOf(entry)): readonly Transfer[] => {
  const { transfers } = entry;
  const forced = isForced(entry);
  if (!forced && !isAnyOwing(state, moves)) return transfers;
  const purses = createPurses(state);
  const result: Transfer[] = [];
  for (const transfer of transfers) {
    const { debit, credit, token, amount } = transfer;
    const payer = purses.find(debit, token);
    const payee = purses.find(credit, token);
    if (payer !== undefined && forced) result.push(...(debit.endsWith(SETTLING) ? settle : overdraw)(payer, transfer));
    else {
      result.push(transfer);
      if (payer !== undefined) payer[debit.endsWith(SETTLING) ? 'settling' : 'available'] -= amount;
    }
    if (payee !== undefined) payee[credit.endsWith(SETTLING) ? 'settling' : 'available'] += amount;
  }
  for (const { accountId, token, available, debt } of purses.all()) {
    const repaid = available < -debt ? available : -debt;
    if (repaid > 0n) {
      result.push({ debit: userAccount(accountId, 'available'), credit: userAccount(accountId, 'debt'), token, amount: repaid });
    }
  }
  return result;
};
