import { createIdSet } from './id-set.ts';
import type { Line } from './read-blocks.ts';
import { TooManyError } from './source.ts';

/** All that the journal says of an account, in one spelling. Balances by `<token>/<bucket>`, or by `<token>`, without zeros. */
export type AccountLine = [
  id: string,
  status: string,
  balances: [key: string, amount: string][],
  holds: [id: string, token: string, amount: string, credit: string, expiresAt: number][],
];

type Hold = { token: string; amount: bigint; credit: string; expiresAt: number };
type Account = { status: string; balances: Map<string, bigint>; holds: Map<string, Hold> };

/** What a book holds of the journal: the accounts and ids that it `covers`, at most so many. */
export type BookOptions = { covers: (id: string) => boolean; maxAccounts: number; maxIds: number };

const USER_BUCKETS = ['available', 'held', 'outgoing', 'incoming'];
const BOOKED = ['available', 'held', 'outgoing'];
const SYSTEM_NAME = /^[a-z][a-z_]*$/;
const STATUS: Readonly<Record<string, string>> = {
  'account.opened': 'provisioning',
  'account.activated': 'active',
  'account.blocked': 'blocked',
  'account.unblocked': 'active',
  'account.closed': 'closed',
};

const spelled = <T extends [string, ...unknown[]]>(rows: T[]): T[] => rows.sort(([a], [b]) => (a < b ? -1 : 1));

/** Balances by an arithmetic of their own, apart from the writer's. */
export const createBook = ({ covers, maxAccounts, maxIds }: BookOptions) => {
  const accounts = new Map<string, Account>();
  const isNewId = createIdSet(maxIds);

  const enter = (id: string, status: string): Account => {
    if (accounts.size >= maxAccounts) throw new TooManyError();
    const account = { status, balances: new Map(), holds: new Map() };
    accounts.set(id, account);
    return account;
  };
  /** The account with this id; undefined when another range has it. */
  const find = (id: string, isUser: boolean): Account | undefined => {
    const found = accounts.get(id);
    if (found !== undefined || !covers(id)) return found;
    if (isUser) throw new Error(`account ${id} was never opened`);
    if (!SYSTEM_NAME.test(id)) throw new Error(`${id} is not a ledger account`);
    return enter(id, 'system');
  };
  const move = (line: Line, name: string, token: string, delta: bigint): string => {
    const [id = '', bucket, ...more] = name.split('/');
    const isUser = bucket !== undefined;
    if (more.length > 0 || (isUser && !USER_BUCKETS.includes(bucket))) throw new Error(`${name} is not a ledger account`);
    if (isUser && line.kind !== 'transfer' && id !== line.accountId) throw new Error('moves money of another account');
    const balances = find(id, isUser)?.balances;
    const key = isUser ? `${token}/${bucket}` : token;
    balances?.set(key, (balances.get(key) ?? 0n) + delta);
    return id;
  };
  const changeHolds = ({ id, kind, transfers, data }: Line, { holds }: Account): void => {
    if (kind !== 'hold.created') {
      if (!holds.delete(data.get('holdId') ?? '')) throw new Error('ends a hold that is not open');
      return;
    }
    const [first, ...more] = transfers;
    const [credit, expiresAt] = [data.get('credit'), Date.parse(data.get('expiresAt') ?? '')];
    if (first === undefined || more.length > 0 || credit === undefined || Number.isNaN(expiresAt)) throw new Error('an incomplete hold');
    holds.set(id, { token: first[2], amount: BigInt(first[3]), credit, expiresAt });
  };
  const check = (id: string, { status, balances, holds }: Account): void => {
    const held = new Map<string, bigint>();
    for (const { token, amount } of holds.values()) held.set(`${token}/held`, (held.get(`${token}/held`) ?? 0n) + amount);
    for (const [key, amount] of balances) {
      if (amount < 0n && status !== 'system') throw new Error(`leaves account ${id} with ${key} below zero`);
      if (key.endsWith('/held')) held.set(key, (held.get(key) ?? 0n) - amount);
    }
    for (const left of held.values()) if (left !== 0n) throw new Error(`leaves account ${id} with holds that differ from what is held`);
  };
  const checkBooked = ({ transfers, booked }: Line): void => {
    const users = transfers.flatMap(([debit, credit, token]) =>
      [debit, credit].filter((name) => name.includes('/')).map((name) => `${name.split('/')[0]} ${token}`),
    );
    const stated = [...new Set(users)].map((key, index) => [...key.split(' '), booked[index]]);
    if (stated.length !== booked.length) throw new Error('has another number of booked balances');
    for (const [id = '', token, amount] of stated) {
      const balances = accounts.get(id)?.balances;
      const sum = BOOKED.reduce((total, bucket) => total + (balances?.get(`${token}/${bucket}`) ?? 0n), 0n);
      if (balances !== undefined && `${sum}` !== amount) throw new Error(`leaves account ${id} with ${sum} ${token}, but states ${amount}`);
    }
  };

  return {
    /** Applies an entry. @returns accounts that it is about @throws Error saying what is wrong with it; TooManyError */
    apply: (line: Line): Set<string> => {
      const { id, kind, accountId, transfers } = line;
      if (covers(id) && !isNewId(id)) throw new Error('its id is not unique');
      if (kind === 'account.opened' && covers(accountId)) {
        if (accounts.has(accountId)) throw new Error('the account is open already');
        enter(accountId, '');
      }
      const own = find(accountId, true);
      if (own !== undefined) own.status = STATUS[kind] ?? own.status;
      const touched = new Set([accountId]);
      for (const [debit, credit, token, amount] of transfers) {
        if (!/^[1-9][0-9]*$/.test(amount) || debit === credit) throw new Error('a transfer moves nothing');
        touched.add(move(line, debit, token, -BigInt(amount))).add(move(line, credit, token, BigInt(amount)));
      }
      if (own !== undefined && kind.startsWith('hold.')) changeHolds(line, own);
      for (const one of touched) {
        const account = accounts.get(one);
        if (account !== undefined) check(one, account);
      }
      checkBooked(line);
      return touched;
    },
    /** Takes in an account as a snapshot states it. @throws TooManyError */
    load: ([id, status, balances, holds]: AccountLine): void => {
      const account = enter(id, status);
      for (const [key, amount] of balances) account.balances.set(key, BigInt(amount));
      for (const [hold, token, amount, credit, expiresAt] of holds)
        account.holds.set(hold, { token, amount: BigInt(amount), credit, expiresAt });
    },
    ids: (): Iterable<string> => accounts.keys(),
    lineOf: (id: string): AccountLine | undefined => {
      const account = accounts.get(id);
      if (account === undefined) return undefined;
      const balances = [...account.balances].flatMap(([key, sum]): [string, string][] => (sum === 0n ? [] : [[key, `${sum}`]]));
      const holds = [...account.holds].map(
        ([hold, one]) => [hold, one.token, `${one.amount}`, one.credit, one.expiresAt] as AccountLine[3][0],
      );
      return [id, account.status, spelled(balances), spelled(holds)];
    },
  };
};

export type Book = ReturnType<typeof createBook>;
