import type { Amount } from '@florin/rpc/money';
import { balanceOf } from './account-state.ts';
import { type Move, movesOf } from './apply-entry.ts';
import { isForced, type Proposal, type Transfer } from './entry.ts';
import { userAccount } from './ledger-account.ts';
import type { StateReader } from './shard-state.ts';

const AVAILABLE = '/available';
const SETTLING = '/settling';

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

/** A debit as far as each bucket covers it, debt last. Settling money that is missing has left the Safe as well: it is taken from the rest. */
const spread = (purse: Purse, transfer: Transfer): Transfer[] => {
  let rest = transfer.amount;
  const parts: Transfer[] = [];
  const take = (bucket: 'settling' | 'available' | 'debt', amount: Amount): void => {
    if (amount <= 0n) return;
    purse[bucket] -= amount;
    rest -= amount;
    parts.push({ ...transfer, debit: userAccount(purse.accountId, bucket), amount });
  };
  const atMost = (balance: Amount): Amount => (balance < rest ? balance : rest);
  if (transfer.debit.endsWith(SETTLING)) take('settling', atMost(purse.settling));
  take('available', atMost(purse.available));
  take('debt', rest);
  return parts;
};

/**
 * Adds the transfers that debt requires. A forced debit of available or settling money takes `debt` for what is not covered at
 * its turn; and at the end of the entry, what is in `available` repays `debt`, each by a transfer of its own. So `available` and `debt` are
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
    if (payer !== undefined && forced) result.push(...spread(payer, transfer).filter((part) => part.debit !== part.credit));
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
