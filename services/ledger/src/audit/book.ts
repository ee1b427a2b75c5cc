import { createIdSet } from './id-set.ts';
import type { Line } from './read-blocks.ts';
import { TooManyError } from './source.ts';

/** All that the journal says of an account, in one spelling. Balances by `<token>/<bucket>`, or by `<token>`, without zeros. */
export type AccountLine = [
  id: string,
  status: string,
  balances: [key: string, amount: string][],
  holds: [id: string, token: string, amount: string, credit: string, expiresAt: number, ...more: [credit: string, amount: string][]][],
];

/** The held amount of each receiver, in the order in which they were named. */
type Hold = { token: string; parts: Map<string, bigint>; expiresAt: number };
type Account = { status: string; balances: Map<string, bigint>; holds: Map<string, Hold> };

/** The part of the journal that a book holds: the accounts and ids that it `covers`, at most so many. */
export type BookOptions = { covers: (id: string) => boolean; maxAccounts: number; maxIds: number };

const USER_BUCKETS = ['available', 'held', 'incoming', 'outgoing', 'settling', 'debt'];
const BOOKED = ['available', 'held', 'outgoing', 'debt'];
const SYSTEM_NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** Kinds that may move money of other accounts than the entry's own. */
const CHANGES_STATE = /^(?:account|hold)\./;
const FREE = ['transfer', 'reversal'];
export const STATUS: Readonly<Record<string, string>> = {
  'account.opened': 'provisioning',
  'account.activated': 'active',
  'account.blocked': 'blocked',
  'account.unblocked': 'active',
  'account.closed': 'closed',
};

/** `<credit> <amount>`, joined by commas. */
const partsOf = (text = ''): [string, bigint][] =>
  text.split(',').flatMap((part): [string, bigint][] => {
    const [, credit, amount] = /^(\S+) ([0-9]+)$/.exec(part) ?? [];
    if (text !== '' && (credit === undefined || amount === undefined)) throw new Error('malformed parts of a hold');
    return text === '' ? [] : [[credit ?? '', BigInt(amount ?? 0)]];
  });

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
    if (isUser && !FREE.includes(line.kind) && id !== line.accountId) throw new Error('moves money of another account');
    const balances = find(id, isUser)?.balances;
    const key = isUser ? `${token}/${bucket}` : token;
    balances?.set(key, (balances.get(key) ?? 0n) + delta);
    return id;
  };
  const changeHolds = ({ id, kind, accountId, transfers, data }: Line, { holds }: Account): void => {
    const changes = partsOf(data.get('parts'));
    const expiresAt = Date.parse(data.get('expiresAt') ?? '');
    const open = holds.get(data.get('holdId') ?? '');
    if (kind === 'hold.created') {
      const total = transfers.reduce((sum, [, credit, , amount]) => (credit === `${accountId}/held` ? sum + BigInt(amount) : sum), 0n);
      const credit = data.get('credit');
      const parts = new Map(credit === undefined ? changes : [[credit, total]]);
      if (parts.size === 0 || transfers[0] === undefined || Number.isNaN(expiresAt)) throw new Error('an incomplete hold');
      holds.set(id, { token: transfers[0][2], parts, expiresAt });
    } else if (data.get('late') === '1') return;
    else if (open === undefined) throw new Error('changes a hold that is not open');
    else if (['hold.increased', 'hold.decreased', 'hold.extended'].includes(kind) || data.get('keepOpen') === '1') {
      const sign = kind === 'hold.increased' ? 1n : -1n;
      for (const [credit, amount] of changes) open.parts.set(credit, (open.parts.get(credit) ?? 0n) + sign * amount);
      if ([...open.parts.values()].some((amount) => amount < 0n)) throw new Error('takes more than the hold has');
      if (!Number.isNaN(expiresAt)) open.expiresAt = expiresAt;
    } else holds.delete(data.get('holdId') ?? '');
  };
  const check = (id: string, { status, balances, holds }: Account): void => {
    const held = new Map<string, bigint>();
    for (const { token, parts } of holds.values()) {
      for (const amount of parts.values()) held.set(`${token}/held`, (held.get(`${token}/held`) ?? 0n) + amount);
    }
    for (const [key, amount] of balances) {
      if (status === 'system') continue;
      const isDebt = key.endsWith('/debt');
      if (isDebt ? amount > 0n : amount < 0n) throw new Error(`leaves account ${id} with ${amount} in ${key}`);
      if (isDebt && amount < 0n && balances.get(key.replace(/debt$/, 'available')))
        throw new Error(`leaves account ${id} with money and ${key}`);
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
    /** Applies an entry. @returns accounts that it changes @throws Error saying what is wrong with it; TooManyError */
    apply: (line: Line): Set<string> => {
      const { id, kind, accountId, transfers } = line;
      if (covers(id) && !isNewId(id)) throw new Error('its id is not unique');
      if (accountId === '' && kind !== 'transfer' && kind !== 'reversal') throw new Error('is about no account');
      if (kind === 'account.opened' && covers(accountId)) {
        if (accounts.has(accountId)) throw new Error('the account is open already');
        enter(accountId, '');
      }
      const own = accountId === '' ? undefined : find(accountId, true);
      if (own !== undefined) own.status = STATUS[kind] ?? own.status;
      // An entry that states a fact only, for example that a withdrawal is under way, leaves the account as it was.
      const touched = new Set(CHANGES_STATE.test(kind) ? [accountId] : []);
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
      for (const [hold, token, amount, credit, expiresAt, ...more] of holds) {
        const parts = new Map([[credit, amount], ...more].map(([to = '', sum = '']) => [to, BigInt(sum)]));
        account.holds.set(hold, { token, parts, expiresAt });
      }
    },
    isNewId,
    ids: (): Iterable<string> => accounts.keys(),
    lineOf: (id: string): AccountLine | undefined => {
      const account = accounts.get(id);
      if (account === undefined) return undefined;
      const balances = [...account.balances].flatMap(([key, sum]): [string, string][] => (sum === 0n ? [] : [[key, `${sum}`]]));
      const holds = [...account.holds].map(([hold, { token, parts, expiresAt }]): AccountLine[3][number] => {
        const [[credit, amount] = ['', ''], ...more] = [...parts].map(([to, sum]): [string, string] => [to, `${sum}`]);
        return [hold, token, amount, credit, expiresAt, ...more];
      });
      return [id, account.status, spelled(balances), spelled(holds)];
    },
  };
};

export type Book = ReturnType<typeof createBook>;
