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

const encodeRow = (id: string, account: AccountState): string => {
  const row: AccountRow = [
    id,
    account.status,
    balancesOf(account)
      .filter(([, amount]) => amount !== 0n)
      .map(([key, amount]): [string, string] => [key, amount.toString()])
      .sort(byFirst),
    [...account.holds].map(([hold, open]) => encodeHold(hold, open)).sort(byFirst),
  ];
  return JSON.stringify(row);
};

const BEGIN = '[\n';
const BETWEEN = ',\n';
const END = '\n]';
export const NO_ACCOUNTS = `${BEGIN}${END}`;

/** The text of a page: JSON with an account in each line, so that one account is found without reading the others. */
export const textOfRows = (rows: readonly string[]): string => `${BEGIN}${rows.join(BETWEEN)}${END}`;

/** The lines of a page's text, one per account. @throws InvariantError when the text has another form */
export const rowsOf = (text: string): string[] => {
  if (!text.startsWith(BEGIN)) throw new InvariantError('a balance page has another form: run `npm run ledger -- rebuild`');
  return text.length === NO_ACCOUNTS.length ? [] : text.slice(BEGIN.length, -END.length).split(BETWEEN);
};

/** Account of a line. */
export const idOfRow = (row: string): string => row.slice(2, row.indexOf('"', 2));

/** Accounts of a page as they are stored: one text, sorted, so that equal pages have equal texts. */
export const encodeAccounts = (accounts: Iterable<[accountId: string, account: AccountState]>): string =>
  textOfRows([...accounts].sort(byFirst).map(([id, account]) => encodeRow(id, account)));

/** The text of a page after changes: what `encodeAccounts` makes of its accounts then. */
export const changeAccounts = (text: string, changes: ReadonlyMap<string, AccountState>): string => {
  const rest = new Map(changes);
  const rows = rowsOf(text).map((row) => {
    const id = idOfRow(row);
    const change = rest.get(id);
    rest.delete(id);
    return change === undefined ? row : encodeRow(id, change);
  });
  if (rest.size === 0) return textOfRows(rows);
  const all: [string, string][] = rows.map((row) => [idOfRow(row), row]);
  for (const [id, account] of rest) all.push([id, encodeRow(id, account)]);
  return textOfRows(all.sort(byFirst).map(([, row]) => row));
};

/** Asserts that the open holds of every account add up to its `held`. @throws InvariantError */
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

/** @throws InvariantError when the line is not what `encodeAccounts` makes, or the account is not sound */
const decodeRow = (row: string): [accountId: string, account: AccountState] => {
  const [id, status, balances, holds] = JSON.parse(row) as AccountRow;
  if (!ACCOUNT_STATUSES.includes(status)) throw new InvariantError(`account ${id}: unknown status`);
  const account = accountState(
    status,
    balances.map(([key, amount]): [string, bigint] => [key, BigInt(amount)]),
    holds.length === 0 ? undefined : new Map(holds.map((hold) => [hold[0], decodeHold(hold)])),
  );
  assertSound(id, account);
  return [id, account];
};

/** The accounts of a page. @throws InvariantError when the text is not what `encodeAccounts` makes, or an account is not sound */
export const decodeAccounts = (text: string): Map<string, AccountState> => new Map(rowsOf(text).map(decodeRow));

/** One account of a page; undefined when it is not on it. @throws InvariantError as `decodeAccounts` */
export const findAccount = (text: string, id: string): AccountState | undefined => {
  // Ids of holds stand in the middle of a line.
  const start = text.indexOf(`\n["${id}",`) + 1;
  if (start === 0) return undefined;
  const end = text.indexOf('\n', start);
  const row = text.slice(start, end);
  return decodeRow(row.endsWith(',') ? row.slice(0, -1) : row)[1];
};
