import type { AccountStatus } from '../domain/account.ts';
import { type Command, tokenAt, userOf } from './commands.ts';
import { createHoldModel } from './model-holds.ts';
import { createPurses, type Leg } from './model-purses.ts';

type Amounts = { account: string; token: number; amount: number };

/** The simple model: a purse per account and token, a record per request. No blocks, no ledger accounts, no pages, no drafts. */
export const createModel = () => {
  const statuses = new Map<string, AccountStatus>();
  const money = createPurses();
  /** The questions, by their unique keys. */
  const records = new Map<string, string>();
  /** The transfers of entries that can be reversed, and the rest of each leg. */
  const moved = new Map<string, { legs: Leg[]; left: bigint[]; reversals: number }>();
  const movements = new Map<string, { account: string; token: string; amount: bigint; status: string }>();
  let step = 0;

  const recorded = (key: string, content: unknown): 'same' | 'other' | undefined => {
    const found = records.get(key);
    if (found === undefined) return undefined;
    return found === JSON.stringify(content) ? 'same' : 'other';
  };
  const record = (key: string, content: unknown): 'created' => {
    records.set(key, JSON.stringify(content));
    return 'created';
  };
  const noteLegs = (key: string, legs: Leg[]): void => {
    moved.set(key, { legs, left: legs.map(({ inner, amount }) => (inner ? 0n : amount)), reversals: 0 });
  };

  const STATUS_CODES = ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED', 'ACCOUNT_NOT_ACTIVE', 'ACCOUNT_BLOCKED'] as const;
  /** The worst of the accounts' states, as the contract orders them. */
  const statusCode = (all: readonly string[], paying: readonly string[], forced = false): string | undefined => {
    const codes = new Set<string>();
    for (const owner of all) {
      const status = statuses.get(owner);
      if (status === undefined) codes.add('ACCOUNT_NOT_FOUND');
      if (forced) continue;
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
    if (to === 'closed' && !money.close(owner)) return 'ACCOUNT_NOT_EMPTY';
    statuses.set(owner, to);
    return record(key, []);
  };

  /** Moves all or nothing between available money, settling money and system accounts. @returns a refusal, or what was moved */
  const moveAll = (steps: readonly Omit<Leg, 'inner'>[], forced: boolean): string | Leg[] => {
    const sides = steps.flatMap(({ from, to }) => [from, to]);
    const paying = steps.flatMap(({ from }) => (from.includes('/') ? [] : (userOf(from) ?? [])));
    const users = sides.flatMap((name) => userOf(name) ?? []);
    const isCollected = steps.every(({ from, to }) => from.includes('/') && userOf(to) === undefined);
    return (
      statusCode(users, paying, forced || isCollected) ?? money.attempt((purses) => purses.moveAll(steps, forced)) ?? 'INSUFFICIENT_FUNDS'
    );
  };

  const transfer = (c: Extract<Command, { do: 'transfer' }>): string => {
    const content = [c.legs, c.forced];
    const known = recorded(`e${c.id}`, content);
    if (known !== undefined) return known;
    const steps = c.legs.map(({ debit, credit, token, amount }) => ({
      from: debit,
      to: credit,
      token: tokenAt(token).symbol,
      amount: BigInt(amount),
    }));
    const legs = moveAll(steps, c.forced);
    if (typeof legs === 'string') return legs;
    noteLegs(`e${c.id}`, legs);
    return record(`e${c.id}`, content);
  };

  const reverse = (c: Extract<Command, { do: 'reverse' }>): string => {
    const key = c.posting === undefined ? `e${c.id}` : `posting${c.id}/${c.posting}`;
    if (!records.has(key)) return 'absent';
    const content = [c.part, c.forced];
    const known = recorded(`reverse ${key} ${c.reversal}`, content);
    if (known !== undefined) return known;
    const original = moved.get(key);
    if (original === undefined) return 'ENTRY_NOT_REVERSIBLE';
    const { legs, left } = original;
    if (left.every((amount) => amount === 0n)) return 'ENTRY_ALREADY_REVERSED';
    const wanted = left.map((amount, index) => (c.part === undefined ? amount : index === c.part.transfer ? BigInt(c.part.amount) : 0n));
    if (c.part !== undefined && BigInt(c.part.amount) > (left[c.part.transfer] ?? 0n)) return 'REVERSAL_EXCEEDS_ENTRY';
    const steps = legs
      .map(({ from, to, token }, index) => ({ from: to, to: from, token, amount: wanted[index] ?? 0n }))
      .filter(({ amount }) => amount > 0n)
      .reverse();
    const done = moveAll(steps, c.forced);
    if (typeof done === 'string') return done;
    original.left = left.map((amount, index) => amount - (wanted[index] ?? 0n));
    return record(`reverse ${key} ${c.reversal}`, content);
  };

  const request = ({ account: owner, token: index, amount: value }: Amounts) => ({
    purse: money.purse(owner, tokenAt(index).symbol),
    symbol: tokenAt(index).symbol,
    value: BigInt(value),
  });

  const see = (c: Extract<Command, { do: 'see' }>): string => {
    const content = [c.account, c.token, c.amount];
    const known = recorded(`d${c.id}`, content);
    if (known !== undefined) return known;
    const refusal = statusCode([c.account], []);
    if (refusal !== undefined) return refusal;
    const { purse: own, symbol, value } = request(c);
    own.incoming += value;
    money.addSystem('chain', symbol, -value);
    movements.set(`d${c.id}`, { account: c.account, token: symbol, amount: value, status: 'pending' });
    return record(`d${c.id}`, content);
  };

  const resolve = (c: Extract<Command, { do: 'resolve' }>): string => {
    const deposit = movements.get(`d${c.id}`);
    if (deposit === undefined) return 'absent';
    const known = recorded(`resolved${c.id}`, c.approve);
    if (known !== undefined) return known;
    const own = money.purse(deposit.account, deposit.token);
    own.incoming -= deposit.amount;
    if (c.approve) own.available += deposit.amount;
    else money.addSystem('refused', deposit.token, deposit.amount);
    deposit.status = c.approve ? 'approved' : 'rejected';
    return record(`resolved${c.id}`, c.approve);
  };

  const unsee = (c: Extract<Command, { do: 'unsee' }>): string => {
    const deposit = movements.get(`d${c.id}`);
    if (deposit === undefined) return 'absent';
    if (deposit.status === 'reversed') return 'same';
    const own = money.purse(deposit.account, deposit.token);
    money.addSystem('chain', deposit.token, deposit.amount);
    if (deposit.status === 'rejected') money.addSystem('refused', deposit.token, -deposit.amount);
    if (deposit.status === 'approved') money.takeAvailable(own, deposit.amount);
    if (deposit.status === 'pending') {
      own.incoming -= deposit.amount;
      record(`resolved${c.id}`, 'reversed');
    }
    deposit.status = 'reversed';
    return 'created';
  };

  const withdraw = (c: Extract<Command, { do: 'withdraw' }>): string => {
    const content = [c.account, c.token, c.amount, c.forced];
    const known = recorded(`w${c.id}`, content);
    if (known !== undefined) return known;
    const refusal = statusCode([c.account], [c.account], c.forced);
    if (refusal !== undefined) return refusal;
    const { purse: own, symbol, value } = request(c);
    if (own.available < value && !c.forced) return 'INSUFFICIENT_FUNDS';
    money.takeAvailable(own, value);
    own.outgoing += value;
    movements.set(`w${c.id}`, { account: c.account, token: symbol, amount: value, status: 'pending' });
    return record(`w${c.id}`, content);
  };

  const reported = (c: Extract<Command, { do: 'report' }>): string => {
    const withdrawal = movements.get(`w${c.id}`);
    if (withdrawal === undefined) return 'absent';
    const key = c.target === 'processing' ? `processing${c.id}` : `ended${c.id}`;
    const known = recorded(key, c.target);
    if (known !== undefined) return known;
    if (c.target === 'processing') return records.has(`ended${c.id}`) ? 'WITHDRAWAL_STATE_CONFLICT' : record(key, c.target);
    const own = money.purse(withdrawal.account, withdrawal.token);
    own.outgoing -= withdrawal.amount;
    if (c.target === 'failed') own.available += withdrawal.amount;
    else money.addSystem('chain', withdrawal.token, withdrawal.amount);
    return record(key, c.target);
  };

  const holds = createHoldModel({
    money,
    statusCode,
    recorded,
    record,
    noteLegs,
    isOpened: (owner) => statuses.has(owner),
    now: () => step,
  });

  const answer = (c: Command): string => {
    switch (c.do) {
      case 'open':
        if (statuses.has(c.account)) return 'same';
        statuses.set(c.account, 'provisioning');
        return 'created';
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
      case 'reverse':
        return reverse(c);
      case 'see':
        return see(c);
      case 'resolve':
        return resolve(c);
      case 'unsee':
        return unsee(c);
      case 'withdraw':
        return withdraw(c);
      case 'report':
        return reported(c);
      case 'wait':
        step += c.steps;
        return 'absent';
      default:
        return holds.apply(c);
    }
  };

  /** Of an account, in the words of the journal; undefined when it was never opened. Zero balances are left out. */
  const view = (owner: string): AccountView | undefined => {
    const status = statuses.get(owner);
    return status && { status, balances: money.view(owner), holds: holds.view(owner) };
  };

  return {
    /** The answer to a command: created, same, other, absent, or the code of its refusal. */
    apply: (c: Command): string => {
      const word = answer(c);
      money.repayAll();
      return word;
    },
    view,
    systems: money.systems,
  };
};

export type AccountView = {
  status: AccountStatus;
  balances: Record<string, bigint>;
  /** Held amounts by receiver, by hold. */
  holds: Record<string, Record<string, bigint>>;
};
