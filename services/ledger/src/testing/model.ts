import fc from 'fast-check';
import type { AccountStatus } from '../domain/account.ts';
import { accountActivated, accountBlocked, accountClosed, accountOpened, accountUnblocked } from '../domain/account-change.ts';
import { DEFAULT_ASSETS, type Token } from '../domain/assets.ts';
import { depositIdOf, depositResolved, depositSeen } from '../domain/deposit.ts';
import type { Intent } from '../domain/draft-block.ts';
import { holdExpired, holdOrdered, holdPosted, holdVoided } from '../domain/hold.ts';
import { userAccount } from '../domain/ledger-account.ts';
import type { Movement } from '../domain/movement.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { type WithdrawalTarget, withdrawalCreated, withdrawalReported } from '../domain/withdrawal.ts';

/** Everything that can be asked of a shard, with few and small values, so that requests meet each other often. */
export const ACCOUNTS = ['a', 'b', 'c'] as const;
const TOKENS = DEFAULT_ASSETS.tokens.slice(0, 2);
const START = Date.UTC(2030, 0, 1);

export const tokenAt = (index: number): Token => TOKENS[index % TOKENS.length] ?? { symbol: '', decimals: 0, currency: '', chainId: 0 };

const account = fc.constantFrom(...ACCOUNTS, 'a' as const, 'a' as const, 'b' as const);
const system = fc.constantFrom('settlement', 'fees');
const token = fc.constantFrom(0, 0, 1);
const amount = fc.integer({ min: 1, max: 20 });
const id = fc.nat(4);
const side = fc.oneof({ weight: 2, arbitrary: account }, { weight: 1, arbitrary: system });
const leg = fc.record({ debit: side, credit: side, token, amount }).filter(({ debit, credit }) => debit !== credit);
const isUser = (name: string): boolean => (ACCOUNTS as readonly string[]).includes(name);

export const command = fc.oneof(
  fc.record({ do: fc.constantFrom('open' as const, 'activate' as const, 'close' as const), account }),
  fc.record({ do: fc.constantFrom('block' as const, 'unblock' as const), account, change: fc.nat(3) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      id,
      legs: fc
        .array(leg, { minLength: 1, maxLength: 3 })
        .filter((legs) => legs.some(({ debit, credit }) => isUser(debit) || isUser(credit))),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), id, account, token, amount, credit: system, until: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('post' as const), id, account, amount: fc.option(amount, { nil: undefined }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('void' as const, 'expire' as const), id, account }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('see' as const), id, account, token, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resolve' as const), id, approve: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), id, account, token, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      id,
      target: fc.constantFrom<WithdrawalTarget>('processing', 'completed', 'failed'),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), steps: fc.nat(2) }),
);
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** Commands that bring a shard to life: open, active, funded. Without them random ones mostly hit nothing. */
export const OPENING: readonly Command[] = [
  ...ACCOUNTS.slice(0, 2).flatMap((name): Command[] => [
    { do: 'open', account: name },
    { do: 'activate', account: name },
  ]),
  { do: 'see', id: 0, account: 'a', token: 0, amount: 60 },
  { do: 'resolve', id: 0, approve: true },
];

const STEP_MS = 10_000;
const timeAt = (step: number): Date => new Date(START + step * STEP_MS);

/** A clock that `wait` moves. */
export const createClock = () => {
  let step = 0;
  return {
    now: () => timeAt(step),
    wait: (steps: number) => {
      step += steps;
    },
  };
};
export type Clock = ReturnType<typeof createClock>;

const event = (number: number) => ({ chainId: 100, txHash: `0x${number.toString(16).padStart(64, '0')}`, logIndex: 0 });
const sideName = (name: string): string => (isUser(name) ? userAccount(name, 'available') : name);

/** What a command asks of the journal; undefined when there is nothing to ask about. */
export const intentOfCommand = (c: Command, movement: (id: string) => Movement | undefined): Intent | undefined => {
  switch (c.do) {
    case 'open':
      return accountOpened(c.account);
    case 'activate':
      return accountActivated(c.account);
    case 'close':
      return accountClosed(c.account);
    case 'block':
      return accountBlocked(c.account, String(c.change));
    case 'unblock':
      return accountUnblocked(c.account, String(c.change));
    case 'transfer': {
      const first = c.legs.flatMap(({ debit, credit }) => [debit, credit]).find(isUser);
      const transfers = c.legs.map(({ debit, credit, token: index, amount: value }) => ({
        debit: sideName(debit),
        credit: sideName(credit),
        token: tokenAt(index).symbol,
        amount: BigInt(value),
      }));
      return transferOrdered({ id: `e${c.id}`, accountId: first ?? '', transfers });
    }
    case 'hold':
      return holdOrdered({
        id: `e${c.id}`,
        accountId: c.account,
        token: tokenAt(c.token).symbol,
        amount: BigInt(c.amount),
        credit: c.credit,
        expiresAt: timeAt(c.until),
      });
    case 'post':
      return holdPosted({ accountId: c.account, holdId: `e${c.id}` }, c.amount === undefined ? undefined : BigInt(c.amount));
    case 'void':
      return holdVoided({ accountId: c.account, holdId: `e${c.id}` });
    case 'expire':
      return holdExpired({ accountId: c.account, holdId: `e${c.id}` });
    case 'see':
      return depositSeen(event(c.id), c.account, tokenAt(c.token), BigInt(c.amount));
    case 'resolve': {
      const deposit = movement(depositIdOf(event(c.id)));
      return deposit && depositResolved(deposit, c.approve ? 'approved' : 'rejected', undefined);
    }
    case 'withdraw':
      return withdrawalCreated({ id: `w${c.id}`, accountId: c.account, token: tokenAt(c.token), amount: BigInt(c.amount), txHash: '0x' });
    case 'report': {
      const withdrawal = movement(`w${c.id}`);
      return withdrawal && withdrawalReported(withdrawal, c.target);
    }
    case 'wait':
      return undefined;
  }
};

type Purse = { available: bigint; held: bigint; incoming: bigint; outgoing: bigint };
type ModelHold = { account: string; token: string; amount: bigint; credit: string; until: number };
type Amounts = { account: string; token: number; amount: number };

/** The simple model: a purse per account and token, a record per request. No blocks, no transfers, no pages, no drafts. */
export const createModel = () => {
  const statuses = new Map<string, AccountStatus>();
  const purses = new Map<string, Purse>();
  const systems = new Map<string, bigint>();
  const holds = new Map<number, ModelHold>();
  /** What was asked, by what it is unique by. */
  const records = new Map<string, string>();
  const movements = new Map<string, { account: string; token: string; amount: bigint }>();
  let step = 0;

  const purse = (owner: string, symbol: string): Purse => {
    const key = `${owner}/${symbol}`;
    const found = purses.get(key) ?? { available: 0n, held: 0n, incoming: 0n, outgoing: 0n };
    purses.set(key, found);
    return found;
  };
  const addSystem = (name: string, symbol: string, delta: bigint): void => {
    systems.set(`${name}/${symbol}`, (systems.get(`${name}/${symbol}`) ?? 0n) + delta);
  };
  const recorded = (key: string, content: unknown): 'same' | 'other' | undefined => {
    const found = records.get(key);
    if (found === undefined) return undefined;
    return found === JSON.stringify(content) ? 'same' : 'other';
  };
  const record = (key: string, content: unknown): 'created' => {
    records.set(key, JSON.stringify(content));
    return 'created';
  };

  const STATUS_CODES = ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED', 'ACCOUNT_NOT_ACTIVE', 'ACCOUNT_BLOCKED'] as const;
  /** The worst of the accounts' states, as the contract orders them. */
  const statusCode = (all: readonly string[], paying: readonly string[]): string | undefined => {
    const codes = new Set<string>();
    for (const owner of all) {
      const status = statuses.get(owner);
      if (status === undefined) codes.add('ACCOUNT_NOT_FOUND');
      if (status === 'closed') codes.add('ACCOUNT_CLOSED');
      if (status === 'provisioning' && paying.includes(owner)) codes.add('ACCOUNT_NOT_ACTIVE');
      if (status === 'blocked' && paying.includes(owner)) codes.add('ACCOUNT_BLOCKED');
    }
    return STATUS_CODES.find((code) => codes.has(code));
  };

  const change = (key: string, owner: string, from: readonly AccountStatus[], to: AccountStatus): string => {
    const known = recorded(key, []);
    if (known !== undefined) return known;
    const refusal = statusCode([owner], []);
    if (refusal !== undefined) return refusal;
    const status = statuses.get(owner);
    if (status === undefined || !from.includes(status)) return 'ACCOUNT_STATE_CONFLICT';
    const purseIsEmpty = ([key_, p]: [string, Purse]) =>
      !key_.startsWith(`${owner}/`) || p.available + p.held + p.incoming + p.outgoing === 0n;
    if (to === 'closed' && ![...purses].every(purseIsEmpty)) return 'ACCOUNT_NOT_EMPTY';
    statuses.set(owner, to);
    return record(key, []);
  };

  const transfer = (c: Extract<Command, { do: 'transfer' }>): string => {
    const known = recorded(`e${c.id}`, c.legs);
    if (known !== undefined) return known;
    const users = c.legs.flatMap(({ debit, credit }) => [debit, credit]).filter(isUser);
    const refusal = statusCode(users, c.legs.map(({ debit }) => debit).filter(isUser));
    if (refusal !== undefined) return refusal;
    // Tried on copies: first what users have, then the fees, which owe nothing either.
    const left = new Map<string, bigint>();
    for (const { debit, credit, token: index, amount: value } of c.legs) {
      for (const [name, delta] of [
        [debit, -BigInt(value)],
        [credit, BigInt(value)],
      ] as const) {
        const key = `${name}/${tokenAt(index).symbol}`;
        const before = left.get(key) ?? (isUser(name) ? (purses.get(key)?.available ?? 0n) : (systems.get(key) ?? 0n));
        if (name !== 'settlement' && before + delta < 0n) return 'INSUFFICIENT_FUNDS';
        left.set(key, before + delta);
      }
    }
    for (const [key, value] of left) {
      const [name = '', symbol = ''] = key.split('/');
      if (isUser(name)) purse(name, symbol).available = value;
      else systems.set(key, value);
    }
    return record(`e${c.id}`, c.legs);
  };

  const request = ({ account: owner, token: index, amount: value }: Amounts) => ({
    purse: purse(owner, tokenAt(index).symbol),
    symbol: tokenAt(index).symbol,
    value: BigInt(value),
  });

  const hold = (c: Extract<Command, { do: 'hold' }>): string => {
    const content = [c.account, c.token, c.amount, c.credit, c.until];
    const known = recorded(`e${c.id}`, content);
    if (known !== undefined) return known;
    const refusal = statusCode([c.account], [c.account]);
    if (refusal !== undefined) return refusal;
    if (c.until <= step) return 'HOLD_EXPIRED';
    const { purse: own, symbol, value } = request(c);
    if (own.available < value) return 'INSUFFICIENT_FUNDS';
    own.available -= value;
    own.held += value;
    holds.set(c.id, { account: c.account, token: symbol, amount: value, credit: c.credit, until: c.until });
    return record(`e${c.id}`, content);
  };

  const endHold = (c: Extract<Command, { do: 'post' | 'void' | 'expire' }>): string => {
    const content = c.do === 'post' ? ['post', c.amount ?? ''] : [c.do];
    const known = recorded(`end${c.id}`, content);
    if (known !== undefined) return known;
    if (statuses.get(c.account) === undefined) return 'ACCOUNT_NOT_FOUND';
    const open = holds.get(c.id);
    if (open === undefined || open.account !== c.account) {
      return 'HOLD_NOT_FOUND';
    }
    const isOver = open.until <= step;
    if (c.do === 'expire' && !isOver) return 'HOLD_NOT_FOUND';
    if (c.do !== 'expire' && isOver) return 'HOLD_EXPIRED';
    const taken = c.do === 'post' ? BigInt(c.amount ?? open.amount) : 0n;
    if (taken > open.amount) return 'AMOUNT_INVALID';
    const own = purse(open.account, open.token);
    own.held -= open.amount;
    own.available += open.amount - taken;
    if (taken > 0n) addSystem(open.credit, open.token, taken);
    holds.delete(c.id);
    return record(`end${c.id}`, content);
  };

  const see = (c: Extract<Command, { do: 'see' }>): string => {
    const content = [c.account, c.token, c.amount];
    const known = recorded(`d${c.id}`, content);
    if (known !== undefined) return known;
    const refusal = statusCode([c.account], []);
    if (refusal !== undefined) return refusal;
    const { purse: own, symbol, value } = request(c);
    own.incoming += value;
    addSystem('chain', symbol, -value);
    movements.set(`d${c.id}`, { account: c.account, token: symbol, amount: value });
    return record(`d${c.id}`, content);
  };

  const resolve = (c: Extract<Command, { do: 'resolve' }>): string => {
    const deposit = movements.get(`d${c.id}`);
    if (deposit === undefined) return 'absent';
    const known = recorded(`resolved${c.id}`, c.approve);
    if (known !== undefined) return known;
    const own = purse(deposit.account, deposit.token);
    own.incoming -= deposit.amount;
    if (c.approve) own.available += deposit.amount;
    else addSystem('refused', deposit.token, deposit.amount);
    return record(`resolved${c.id}`, c.approve);
  };

  const withdraw = (c: Extract<Command, { do: 'withdraw' }>): string => {
    const content = [c.account, c.token, c.amount];
    const known = recorded(`w${c.id}`, content);
    if (known !== undefined) return known;
    const refusal = statusCode([c.account], [c.account]);
    if (refusal !== undefined) return refusal;
    const { purse: own, symbol, value } = request(c);
    if (own.available < value) return 'INSUFFICIENT_FUNDS';
    own.available -= value;
    own.outgoing += value;
    movements.set(`w${c.id}`, { account: c.account, token: symbol, amount: value });
    return record(`w${c.id}`, content);
  };

  const reported = (c: Extract<Command, { do: 'report' }>): string => {
    const withdrawal = movements.get(`w${c.id}`);
    if (withdrawal === undefined) return 'absent';
    const key = c.target === 'processing' ? `processing${c.id}` : `ended${c.id}`;
    const known = recorded(key, c.target);
    if (known !== undefined) return known;
    if (c.target === 'processing') return records.has(`ended${c.id}`) ? 'WITHDRAWAL_STATE_CONFLICT' : record(key, c.target);
    const own = purse(withdrawal.account, withdrawal.token);
    own.outgoing -= withdrawal.amount;
    if (c.target === 'failed') own.available += withdrawal.amount;
    else addSystem('chain', withdrawal.token, withdrawal.amount);
    return record(key, c.target);
  };

  /** What the command is answered: created, same, other, absent, or the code of its refusal. */
  const apply = (c: Command): string => {
    switch (c.do) {
      case 'open': {
        if (statuses.has(c.account)) return 'same';
        statuses.set(c.account, 'provisioning');
        return 'created';
      }
      case 'activate':
        return change(`activated/${c.account}`, c.account, ['provisioning'], 'active');
      case 'close':
        return change(`closed/${c.account}`, c.account, ['provisioning', 'active', 'blocked'], 'closed');
      case 'block':
        return change(`blocked/${c.account}/${c.change}`, c.account, ['active'], 'blocked');
      case 'unblock':
        return change(`unblocked/${c.account}/${c.change}`, c.account, ['blocked'], 'active');
      case 'transfer':
        return transfer(c);
      case 'hold':
        return hold(c);
      case 'post':
      case 'void':
      case 'expire':
        return endHold(c);
      case 'see':
        return see(c);
      case 'resolve':
        return resolve(c);
      case 'withdraw':
        return withdraw(c);
      case 'report':
        return reported(c);
      case 'wait':
        step += c.steps;
        return 'absent';
    }
  };

  /** Of an account, in the words of the journal; undefined when it was never opened. Zero balances are left out. */
  const view = (owner: string): AccountView | undefined => {
    const status = statuses.get(owner);
    if (status === undefined) return undefined;
    const balances: Record<string, bigint> = {};
    for (const [key, own] of purses) {
      const [name, symbol] = key.split('/');
      if (name !== owner) continue;
      for (const [bucket, value] of Object.entries(own)) if (value !== 0n) balances[`${symbol}/${bucket}`] = value;
    }
    const own = [...holds].filter(([, open]) => open.account === owner);
    return { status, balances, holds: Object.fromEntries(own.map(([number, open]) => [`e${number}`, open.amount])) };
  };

  return {
    apply,
    view,
    systems: (): Record<string, bigint> => Object.fromEntries([...systems].filter(([, value]) => value !== 0n)),
  };
};

export type AccountView = { status: AccountStatus; balances: Record<string, bigint>; holds: Record<string, bigint> };
