import { ACCOUNT_STATUSES } from './account.ts';
import type { AccountState } from './account-state.ts';
import { InvariantError } from './apply-entry.ts';

type AccountRow = [
  id: string,
  status: AccountState['status'],
  balances: [key: string, amount: string][],
  holds: [id: string, token: string, amount: string, credit: string, expiresAt: number][],
];

/** Accounts of a page as they are stored: one text, sorted, so that equal pages have equal texts. */
export const encodeAccounts = (accounts: Iterable<[accountId: string, account: AccountState]>): string => {
  const rows: AccountRow[] = [];
  for (const [id, { status, balances, holds }] of accounts) {
    rows.push([
      id,
      status,
      [...balances]
        .filter(([, amount]) => amount !== 0n)
        .map(([key, amount]): [string, string] => [key, amount.toString()])
        .sort(),
      [...holds]
        .map(([hold, { token, amount, credit, expiresAt }]): AccountRow[3][number] => [hold, token, amount.toString(), credit, expiresAt])
        .sort(),
    ]);
  }
  return JSON.stringify(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** What holds for every account: its open holds add up to what is held. @throws InvariantError */
export const assertSound = (id: string, { balances, holds }: AccountState): void => {
  const held = new Map<string, bigint>();
  for (const { token, amount } of holds.values()) held.set(token, (held.get(token) ?? 0n) + amount);
  for (const [key, amount] of balances) {
    if (!key.endsWith('/held')) continue;
    const token = key.slice(0, key.lastIndexOf('/'));
    if ((held.get(token) ?? 0n) !== amount) throw new InvariantError(`account ${id}: the holds of ${token} do not add up to what is held`);
    held.delete(token);
  }
  for (const [token, amount] of held) if (amount !== 0n) throw new InvariantError(`account ${id}: a hold of ${token} has nothing held`);
};

/** @throws InvariantError when the text is not what `encodeAccounts` makes, or an account is not sound */
export const decodeAccounts = (text: string): Map<string, AccountState> => {
  const accounts = new Map<string, AccountState>();
  for (const [id, status, balances, holds] of JSON.parse(text) as AccountRow[]) {
    if (!ACCOUNT_STATUSES.includes(status)) throw new InvariantError(`account ${id}: unknown status`);
    const account: AccountState = {
      status,
      balances: new Map(balances.map(([key, amount]) => [key, BigInt(amount)])),
      holds: new Map(holds.map(([hold, token, amount, credit, expiresAt]) => [hold, { token, amount: BigInt(amount), credit, expiresAt }])),
    };
    assertSound(id, account);
    accounts.set(id, account);
  }
  return accounts;
};
