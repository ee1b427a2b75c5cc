/** A user's money in one token. `owed` is what the user owes, zero or above. */
export type Purse = { available: bigint; held: bigint; incoming: bigint; outgoing: bigint; settling: bigint; owed: bigint };

/** Something that was moved, between a user's available money (its name), settling money (`<name>/settling`) and system accounts. */
export type Leg = {
  from: string;
  to: string;
  token: string;
  amount: bigint;
  /** Within one account: returned held money, or repaid debt. */
  inner: boolean;
};

/** Below this, available money is dust. */
export const MINOR_UNIT = 3n;

const OVERDRAFT = ['chain', 'settlement'];
const isUser = (name: string): boolean => name.length === 1;
const isSettling = (name: string): boolean => name.endsWith('/settling');

/** Users' purses and the system's balances. */
export const createPurses = () => {
  let purses = new Map<string, Purse>();
  let systems = new Map<string, bigint>();

  const purse = (owner: string, token: string): Purse => {
    const key = `${owner}/${token}`;
    const found = purses.get(key) ?? { available: 0n, held: 0n, incoming: 0n, outgoing: 0n, settling: 0n, owed: 0n };
    purses.set(key, found);
    return found;
  };
  const addSystem = (name: string, token: string, delta: bigint): void => {
    systems.set(`${name}/${token}`, (systems.get(`${name}/${token}`) ?? 0n) + delta);
  };
  const give = (name: string, token: string, amount: bigint): void => {
    if (isUser(name)) purse(name, token).available += amount;
    else if (isSettling(name)) purse(name.slice(0, 1), token).settling += amount;
    else addSystem(name, token, amount);
  };
  /** Takes from available money what it covers and owes the rest. @returns the covered and the owed part */
  const takeAvailable = (own: Purse, amount: bigint): [bigint, bigint] => {
    const covered = own.available < amount ? own.available : amount;
    own.available -= covered;
    own.owed += amount - covered;
    return [covered, amount - covered];
  };

  /** Moves by force: as many legs as sources are needed. */
  const moveForced = ({ from, to, token, amount }: Omit<Leg, 'inner'>): Leg[] => {
    if (!isUser(from) && !isSettling(from)) {
      addSystem(from, token, -amount);
      return [{ from, to, token, amount, inner: false }];
    }
    const [name = ''] = from;
    const own = purse(name, token);
    const leg = (source: string, target: string, part: bigint): Leg[] =>
      part === 0n || source === target ? [] : [{ from: source, to: target, token, amount: part, inner: false }];
    if (isSettling(from)) {
      // The operator gives what was not spent.
      const given = own.settling < amount ? amount - own.settling : 0n;
      addSystem('settlement', token, -given);
      own.settling += given - amount;
      return [...leg('settlement', from, given), ...leg(from, to, amount)];
    }
    const [covered, owed] = takeAvailable(own, amount);
    return [...leg(from, to, covered), ...ownDebt(name, to, token, owed)];
  };
  /** Debt is repaid from the account's own available money at once. */
  const ownDebt = (name: string, to: string, token: string, amount: bigint): Leg[] =>
    amount === 0n ? [] : [{ from: name, to, token, amount, inner: name === to }];

  const moveOne = ({ from, to, token, amount }: Omit<Leg, 'inner'>): Leg | undefined => {
    if (isUser(from)) {
      if (purse(from, token).available < amount) return undefined;
      purse(from, token).available -= amount;
    } else if (isSettling(from)) {
      if (purse(from.slice(0, 1), token).settling < amount) return undefined;
      purse(from.slice(0, 1), token).settling -= amount;
    } else {
      if (!OVERDRAFT.includes(from) && (systems.get(`${from}/${token}`) ?? 0n) < amount) return undefined;
      addSystem(from, token, -amount);
    }
    return { from, to, token, amount, inner: false };
  };

  const moveAll = (steps: readonly Omit<Leg, 'inner'>[], forced: boolean): Leg[] | undefined => {
    const legs: Leg[] = [];
    for (const step of steps) {
      const moved = forced ? moveForced(step) : moveOne(step);
      if (moved === undefined) return undefined;
      legs.push(...(Array.isArray(moved) ? moved : [moved]));
      give(step.to, step.token, step.amount);
    }
    return legs;
  };

  return {
    purse,
    addSystem,
    give,
    takeAvailable,
    /** Does something to the purses; takes it back when it returns undefined. */
    attempt: <T>(work: (money: { moveAll: typeof moveAll }) => T | undefined): T | undefined => {
      const before = [structuredClone(purses), structuredClone(systems)] as const;
      const result = work({ moveAll });
      if (result === undefined) [purses, systems] = before;
      return result;
    },
    /** Repays debt from the available amount. */
    repayAll: (): void => {
      for (const own of purses.values()) {
        const repaid = own.available < own.owed ? own.available : own.owed;
        own.available -= repaid;
        own.owed -= repaid;
      }
    },
    /** Leaves dust to the operator. @returns false when the owner has more, or owes */
    close: (owner: string): boolean => {
      const owned = [...purses].filter(([key]) => key.startsWith(`${owner}/`));
      const isDone = ({ available, settling: _operators, ...rest }: Purse): boolean =>
        available < MINOR_UNIT && Object.values(rest).every((value) => value === 0n);
      if (!owned.every(([, own]) => isDone(own))) return false;
      for (const [key, own] of owned) {
        addSystem('fees', key.slice(owner.length + 1), own.available);
        own.available = 0n;
      }
      return true;
    },
    view: (owner: string): Record<string, bigint> => {
      const balances: Record<string, bigint> = {};
      for (const [key, { owed, ...rest }] of purses) {
        const [name, token] = key.split('/');
        if (name !== owner) continue;
        for (const [bucket, value] of Object.entries({ ...rest, debt: -owed })) if (value !== 0n) balances[`${token}/${bucket}`] = value;
      }
      return balances;
    },
    systems: (): Record<string, bigint> => Object.fromEntries([...systems].filter(([, value]) => value !== 0n)),
  };
};

export type Purses = ReturnType<typeof createPurses>;
