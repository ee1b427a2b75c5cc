import { ACCOUNT_STATUSES } from './account.ts';
import { type AccountState, accountState, balancesOf, type OpenHold, sumOfParts } from './account-state.ts';
import { InvariantError } from './apply-entry.ts';

/** The first part of a hold stands in the row itself, further ones follow. */
type HoldRow = [id: string, token: string, amount: string, credit: string, expiresAt: number, ...more: [credit: string, amount: string][]];

type AccountRow = [id: string, status: AccountState['status'], balances: [key: string, amount: string][], holds: HoldRow[]];

const encodeHold = (id: string, { token, parts, expiresAt }: OpenHold): HoldRow => {
  const [first, ...more] = parts;
  if (first === undefined) throw new InvariantError(`hold ${id} has no parts`);
  return [
    id,
    token,
    first.amount.toString(),
    first.credit,
    expiresAt,
    ...more.map(({ credit, amount }): [string, string] => [credit, amount.toString()]),
  ];
};

const decodeHold = ([, token, amount, credit, expiresAt, ...more]: HoldRow): OpenHold => ({
  token,
  parts: [{ credit, amount: BigInt(amount) }, ...more.map(([other, text]) => ({ credit: other, amount: BigInt(text) }))],
  expiresAt,
});

const byFirst = ([a]: [string, ...unknown[]], [b]: [string, ...unknown[]]): number => (a < b ? -1 : 1);

/** Accounts of a page as they are stored: one text, sorted, so that equal pages have equal texts. */
export const encodeAccounts = (accounts: Iterable<[accountId: string, account: AccountState]>): string => {
  const rows: AccountRow[] = [];
  for (const [id, account] of accounts) {
    rows.push([
      id,
      account.status,
      balancesOf(account)
        .filter(([, amount]) => amount !== 0n)
        .map(([key, amount]): [string, string] => [key, amount.toString()])
        .sort(byFirst),
      [...account.holds].map(([hold, open]) => encodeHold(hold, open)).sort(byFirst),
    ]);
  }
  return JSON.stringify(rows.sort(byFirst));
};

/** What holds for every account: its open holds add up to what is held. @throws InvariantError */
export const assertSound = (id: string, account: AccountState): void => {
  const { keys, holds } = account;
  if (holds.size === 0 && !keys.some((key) => key.endsWith('/held'))) return;
  const held = new Map<string, bigint>();
  for (const { token, parts } of holds.values()) held.set(token, (held.get(token) ?? 0n) + sumOfParts(parts));
  for (const [key, amount] of balancesOf(account)) {
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
    const account = accountState(
      status,
      balances.map(([key, amount]): [string, bigint] => [key, BigInt(amount)]),
      holds.length === 0 ? undefined : new Map(holds.map((row) => [row[0], decodeHold(row)])),
    );
    assertSound(id, account);
    accounts.set(id, account);
  }
  return accounts;
};
