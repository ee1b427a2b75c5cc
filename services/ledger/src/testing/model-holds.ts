import { type Command, tokenAt } from './commands.ts';
import type { Leg, Purses } from './model-purses.ts';

type ModelHold = { account: string; token: string; held: Map<string, bigint>; until: number };
type Parts = readonly { credit: string; amount: number }[];
type HoldCommand = Extract<Command, { do: 'hold' | 'increase' | 'decrease' | 'extend' | 'post' | 'void' | 'expire' }>;

const MAX_RECEIVERS = 10;

const total = (held: ReadonlyMap<string, bigint>): bigint => [...held.values()].reduce((sum, amount) => sum + amount, 0n);
const named = (account: string, credit: string): string => (credit === 'settling' ? `${account}/settling` : credit);
const toMap = (account: string, parts: Parts): Map<string, bigint> =>
  new Map(parts.map(({ credit, amount }) => [named(account, credit), BigInt(amount)]));

const receivers = (account: string, parts: Parts): (string | number)[][] =>
  parts.map(({ credit, amount }) => [named(account, credit), amount]);

/** Holds of the simple model. */
export const createHoldModel = (given: {
  money: Purses;
  statusCode: (all: readonly string[], paying: readonly string[], forced?: boolean) => string | undefined;
  recorded: (key: string, content: unknown) => 'same' | 'other' | undefined;
  record: (key: string, content: unknown) => 'created';
  noteLegs: (key: string, legs: Leg[]) => void;
  isOpened: (owner: string) => boolean;
  now: () => number;
}) => {
  const { money, statusCode, recorded, record, noteLegs, isOpened, now } = given;
  const holds = new Map<number, ModelHold>();

  const setAside = (account: string, token: string, amount: bigint, forced: boolean): boolean => {
    const own = money.purse(account, token);
    if (own.available < amount && !forced) return false;
    money.takeAvailable(own, amount);
    own.held += amount;
    return true;
  };
  const release = (account: string, token: string, amount: bigint): void => {
    const own = money.purse(account, token);
    own.held -= amount;
    own.available += amount;
  };

  const hold = (c: Extract<HoldCommand, { do: 'hold' }>): string => {
    const content = [c.account, c.token, c.parts, c.until, c.forced];
    const known = recorded(`e${c.id}`, content);
    if (known !== undefined) return known;
    const refusal = statusCode([c.account], [c.account], c.forced);
    if (refusal !== undefined) return refusal;
    if (c.until <= now()) return 'HOLD_EXPIRED';
    const held = toMap(c.account, c.parts);
    const token = tokenAt(c.token).symbol;
    if (!setAside(c.account, token, total(held), c.forced)) return 'INSUFFICIENT_FUNDS';
    holds.set(c.id, { account: c.account, token, held, until: c.until });
    return record(`e${c.id}`, content);
  };

  /** The open hold that a command is about, or why it cannot be. */
  const find = (c: { id: number; account: string }, when: 'open' | 'expired' | 'always'): ModelHold | string => {
    if (!isOpened(c.account)) return 'ACCOUNT_NOT_FOUND';
    const open = holds.get(c.id);
    if (open === undefined || open.account !== c.account) return 'HOLD_NOT_FOUND';
    if (when === 'open' && open.until <= now()) return 'HOLD_EXPIRED';
    if (when === 'expired' && open.until > now()) return 'HOLD_EXPIRY_INVALID';
    return open;
  };
  const mayEnd = (open: ModelHold, until: number): boolean => until >= open.until && until > now();

  const increase = (c: Extract<HoldCommand, { do: 'increase' }>): string => {
    const open = find(c, c.forced ? 'always' : 'open');
    if (typeof open === 'string') return open;
    if (open.token !== tokenAt(c.token).symbol) return 'TOKEN_MISMATCH';
    const more = toMap(c.account, c.parts);
    if (new Set([...open.held.keys(), ...more.keys()]).size > MAX_RECEIVERS) return 'AMOUNT_INVALID';
    if (c.until !== undefined && !mayEnd(open, c.until)) return 'HOLD_EXPIRY_INVALID';
    const refusal = statusCode([c.account], [c.account], c.forced);
    if (refusal !== undefined) return refusal;
    if (!setAside(c.account, open.token, total(more), c.forced)) return 'INSUFFICIENT_FUNDS';
    for (const [credit, amount] of more) open.held.set(credit, (open.held.get(credit) ?? 0n) + amount);
    open.until = c.until ?? open.until;
    return 'created';
  };

  const decrease = (c: Extract<HoldCommand, { do: 'decrease' }>): string => {
    const open = find(c, 'open');
    if (typeof open === 'string') return open;
    const [only, ...more] = open.held;
    if (only === undefined || more.length > 0 || only[1] < BigInt(c.amount)) return 'AMOUNT_INVALID';
    open.held.set(only[0], only[1] - BigInt(c.amount));
    release(c.account, open.token, BigInt(c.amount));
    return 'created';
  };

  const extend = (c: Extract<HoldCommand, { do: 'extend' }>): string => {
    const open = find(c, 'open');
    if (typeof open === 'string') return open;
    if (!mayEnd(open, c.until)) return 'HOLD_EXPIRY_INVALID';
    const refusal = statusCode([c.account], []);
    if (refusal !== undefined) return refusal;
    open.until = c.until;
    return 'created';
  };

  const change = (c: Extract<HoldCommand, { do: 'increase' | 'decrease' | 'extend' }>): string => {
    const content =
      'parts' in c ? [c.do, receivers(c.account, c.parts), c.token, c.until, c.forced] : [c.do, 'amount' in c ? c.amount : c.until];
    const known = recorded(`change${c.id}/${c.change}`, content);
    if (known !== undefined) return known;
    const word = c.do === 'increase' ? increase(c) : c.do === 'decrease' ? decrease(c) : extend(c);
    return word === 'created' ? record(`change${c.id}/${c.change}`, content) : word;
  };

  /** Takes what is wanted from a hold, own receivers' money first. @returns what the hold lacks */
  const takeHeld = (held: Map<string, bigint>, wanted: ReadonlyMap<string, bigint>): Map<string, bigint> => {
    const lacking = new Map(wanted);
    for (const own of [true, false]) {
      for (const [credit, need] of [...lacking]) {
        let rest = need;
        for (const [other, has] of held) {
          if ((other === credit) !== own) continue;
          const amount = has < rest ? has : rest;
          held.set(other, has - amount);
          rest -= amount;
        }
        lacking.set(credit, rest);
      }
    }
    return lacking;
  };

  const book = (c: Extract<HoldCommand, { do: 'post' }>): { legs: Leg[] } | string => {
    const open = find(c, c.forced ? 'always' : 'open');
    const { account } = c;
    const asked = c.parts === undefined ? undefined : toMap(account, c.parts);
    if (open === 'HOLD_NOT_FOUND' && c.forced && c.posting !== undefined && asked !== undefined) {
      const token = tokenAt(c.token).symbol;
      const steps = [...asked].map(([to, amount]) => ({ from: account, to, token, amount }));
      return { legs: money.attempt((purses) => purses.moveAll(steps, true)) ?? [] };
    }
    if (typeof open === 'string') return open;
    const { token } = open;
    if (asked !== undefined && token !== tokenAt(c.token).symbol) return 'TOKEN_MISMATCH';
    const wanted = asked ?? new Map([...open.held].filter(([, amount]) => amount > 0n));
    if (wanted.size === 0) return 'AMOUNT_INVALID';
    const held = new Map(open.held);
    const lacking = takeHeld(held, wanted);
    if (total(lacking) > 0n && !c.forced) return 'AMOUNT_INVALID';
    const legs: Leg[] = [];
    for (const [to, amount] of wanted) {
      const fromHold = amount - (lacking.get(to) ?? 0n);
      if (fromHold === 0n) continue;
      money.purse(account, token).held -= fromHold;
      money.give(to, token, fromHold);
      legs.push({ from: account, to, token, amount: fromHold, inner: false });
    }
    const steps = [...lacking].filter(([, amount]) => amount > 0n).map(([to, amount]) => ({ from: account, to, token, amount }));
    legs.push(...(money.attempt((purses) => purses.moveAll(steps, true)) ?? []));
    const keep = c.keepOpen && c.posting !== undefined;
    if (keep) open.held = held;
    else {
      release(account, token, total(held));
      holds.delete(c.id);
    }
    return { legs };
  };

  const post = (c: Extract<HoldCommand, { do: 'post' }>): string => {
    const key = c.posting === undefined ? `end${c.id}` : `posting${c.id}/${c.posting}`;
    const keeps = !c.forced && c.posting !== undefined && c.keepOpen;
    const content = ['post', c.parts && receivers(c.account, c.parts), c.parts && c.token, keeps, c.forced];
    const known = recorded(key, content);
    if (known !== undefined) return known;
    const booked = book(c);
    if (typeof booked === 'string') return booked;
    noteLegs(key, booked.legs);
    return record(key, content);
  };

  const end = (c: Extract<HoldCommand, { do: 'void' | 'expire' }>): string => {
    const known = recorded(`end${c.id}`, [c.do]);
    if (known !== undefined) return known;
    const open = find(c, c.do === 'void' ? 'open' : 'expired');
    if (typeof open === 'string') return open;
    release(open.account, open.token, total(open.held));
    holds.delete(c.id);
    return record(`end${c.id}`, [c.do]);
  };

  return {
    apply: (c: HoldCommand): string => {
      if (c.do === 'hold') return hold(c);
      if (c.do === 'post') return post(c);
      return 'change' in c ? change(c) : end(c);
    },
    view: (owner: string): Record<string, Record<string, bigint>> =>
      Object.fromEntries(
        [...holds].filter(([, { account }]) => account === owner).map(([id, { held }]) => [`e${id}`, Object.fromEntries(held)]),
      ),
  };
};
