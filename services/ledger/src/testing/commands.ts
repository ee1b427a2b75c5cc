import { DEFAULT_ASSETS, type Token } from '@florin/rpc/assets';
import fc from 'fast-check';
import type { WithdrawalTarget } from '../domain/withdrawal.ts';

/** Everything that can be asked of a shard, with few and small values, so that requests meet each other often. */
export const ACCOUNTS = ['a', 'b', 'c'] as const;
const TOKENS = DEFAULT_ASSETS.tokens.slice(0, 2);
const START = Date.UTC(2030, 0, 1);

export const tokenAt = (index: number): Token => TOKENS[index % TOKENS.length] ?? { symbol: '', decimals: 0, currency: '', chainId: 0 };

const account = fc.constantFrom(...ACCOUNTS, 'a' as const, 'a' as const, 'b' as const);
const token = fc.constantFrom(0, 0, 1);
const amount = fc.integer({ min: 1, max: 20 });
const id = fc.nat(4);
const few = fc.nat(3);
const forced = fc.constantFrom(false, false, true);
const until = fc.nat(12);
/** Settling money of an account that is named among the receivers is the hold's own account's. */
const receiver = fc.constantFrom('settlement', 'fees', 'settling');
const part = fc.record({ credit: receiver, amount });
const parts = fc.uniqueArray(part, { minLength: 1, maxLength: 2, selector: ({ credit }) => credit });
const side = fc.oneof(
  { weight: 4, arbitrary: account },
  { weight: 2, arbitrary: fc.constantFrom('settlement', 'fees', 'chain') },
  { weight: 1, arbitrary: account.map((name) => `${name}/settling`) },
);
const leg = fc.record({ debit: side, credit: side, token, amount }).filter(({ debit, credit }) => debit !== credit);

/** Whose a side is; undefined for a system account. */
export const userOf = (name: string): string | undefined => ACCOUNTS.find((one) => one === name || name === `${one}/settling`);

export const command = fc.oneof(
  fc.record({ do: fc.constantFrom('open' as const, 'activate' as const, 'close' as const), account }),
  fc.record({ do: fc.constantFrom('block' as const, 'unblock' as const), account, change: few }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('transfer' as const), id, forced, legs: fc.array(leg, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), id, account, token, parts, until, forced }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('increase' as const),
      id,
      account,
      token,
      change: few,
      parts,
      until: fc.option(until, { nil: undefined }),
      forced,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('decrease' as const), id, account, change: few, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('extend' as const), id, account, change: few, until }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      id,
      account,
      token,
      posting: fc.option(few, { nil: undefined }),
      parts: fc.option(parts, { nil: undefined }),
      keepOpen: fc.boolean(),
      forced,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('void' as const, 'expire' as const), id, account }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      id,
      /** A posting of the hold of that id instead of the entry. */
      posting: fc.option(few, { nil: undefined }),
      reversal: few,
      part: fc.option(fc.record({ transfer: fc.nat(2), amount }), { nil: undefined }),
      forced,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('see' as const), id, account, token, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resolve' as const), id, approve: fc.boolean() }) },
  fc.record({ do: fc.constant('unsee' as const), id }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), id, account, token, amount, forced }) },
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

/** Commands that depend on what earlier ones were answered, or move time: a batch judged as one knows only what was there before it. */
export const isAlone = ({ do: verb }: Command): boolean => ['resolve', 'unsee', 'report', 'reverse', 'wait'].includes(verb);

/** Commands that bring a shard to life: open, active, funded. Without them random ones mostly hit nothing. */
export const OPENING: readonly Command[] = [
  ...ACCOUNTS.slice(0, 2).flatMap((name): Command[] => [
    { do: 'open', account: name },
    { do: 'activate', account: name },
  ]),
  { do: 'see', id: 0, account: 'a', token: 0, amount: 60 },
  { do: 'resolve', id: 0, approve: true },
  { do: 'hold', id: 4, account: 'a', token: 0, parts: [{ credit: 'settlement', amount: 20 }], until: 6, forced: false },
];

const STEP_MS = 10_000;
export const timeAt = (step: number): Date => new Date(START + step * STEP_MS);

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
