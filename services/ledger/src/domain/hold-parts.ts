import type { Amount } from '@florin/rpc/money';
import { type AccountState, type HoldPart, type OpenHold, sumOfParts } from './account-state.ts';
import type { Proposal } from './entry.ts';
import { InvariantError } from './invariant-error.ts';

/**
 * Facts of entries about holds:
 * - `credit` of a new hold with one receiver: the receiver;
 * - `parts` of a new hold with several, and of every change: `<credit> <amount>` by receiver, joined by commas;
 * - `expiresAt` of a new hold, and of a change of its expiry (ISO 8601);
 * - `holdId` of every entry but the creating one;
 * - `keepOpen` of a post after which the hold stays open, `late` of a post that found no open hold.
 */
export const encodeParts = (parts: readonly HoldPart[]): string => parts.map(({ credit, amount }) => `${credit} ${amount}`).join(',');

/** @throws InvariantError when the text is not what `encodeParts` makes */
const decodeParts = (entry: Proposal): HoldPart[] => {
  const text = entry.data['parts'];
  if (text === undefined || text === '') return [];
  return text.split(',').map((part) => {
    const [credit = '', amount = '', more] = part.split(' ');
    if (credit === '' || !/^[0-9]+$/.test(amount) || more !== undefined) throw new InvariantError(`${entry.id}: malformed parts of a hold`);
    return { credit, amount: BigInt(amount) };
  });
};

/** Adds amounts, or takes them away; receivers that are new come last. */
export const addParts = (parts: readonly HoldPart[], changes: readonly HoldPart[], sign: 1n | -1n): HoldPart[] => {
  const result = parts.map((part) => ({ ...part }));
  for (const { credit, amount } of changes) {
    const own = result.find((part) => part.credit === credit);
    if (own === undefined) result.push({ credit, amount: sign * amount });
    else own.amount += sign * amount;
  }
  return result;
};

const heldBy = ({ transfers, accountId }: Proposal): { token: string; amount: Amount } => {
  const held = `${accountId}/held`;
  let amount = 0n;
  for (const transfer of transfers) if (transfer.credit === held) amount += transfer.amount;
  return { token: transfers[0]?.token ?? '', amount };
};

const timeOf = (entry: Proposal): number => {
  const at = Date.parse(entry.data['expiresAt'] ?? '');
  if (Number.isNaN(at)) throw new InvariantError(`${entry.id}: a hold without expiry`);
  return at;
};

const created = (entry: Proposal): OpenHold => {
  const { token, amount } = heldBy(entry);
  const { credit } = entry.data;
  const parts = credit === undefined ? decodeParts(entry) : [{ credit, amount }];
  if (token === '' || parts.length === 0) throw new InvariantError(`${entry.id}: an incomplete hold`);
  return { token, parts, expiresAt: timeOf(entry) };
};

/** The hold after an entry about it; undefined when the entry ends it. */
const changed = (hold: OpenHold, entry: Proposal): OpenHold | undefined => {
  const expiresAt = entry.data['expiresAt'] === undefined ? hold.expiresAt : timeOf(entry);
  switch (entry.kind) {
    case 'hold.increased':
      return { ...hold, expiresAt, parts: addParts(hold.parts, decodeParts(entry), 1n) };
    case 'hold.decreased':
      return { ...hold, parts: addParts(hold.parts, decodeParts(entry), -1n) };
    case 'hold.extended':
      return { ...hold, expiresAt };
    case 'hold.posted':
      return entry.data['keepOpen'] === '1' ? { ...hold, parts: addParts(hold.parts, decodeParts(entry), -1n) } : undefined;
    default:
      return undefined;
  }
};

/**
 * Opens, changes or ends the entry's hold. Replaces the map of holds: the one before may be shared.
 * @returns the hold's token
 * @throws InvariantError
 */
export const changeHolds = (account: AccountState, entry: Proposal): string => {
  // A post that came too late moved no held money, and what is held is as it was.
  if (entry.data['late'] === '1') return entry.transfers[0]?.token ?? '';
  const holds = new Map(account.holds);
  account.holds = holds;
  if (entry.kind === 'hold.created') {
    const hold = created(entry);
    holds.set(entry.id, hold);
    return hold.token;
  }
  const holdId = entry.data['holdId'] ?? '';
  const hold = holds.get(holdId);
  if (hold === undefined) throw new InvariantError(`${entry.id}: changes a hold that is not open`);
  const after = changed(hold, entry);
  if (after === undefined) holds.delete(holdId);
  else {
    if (after.parts.some(({ amount }) => amount < 0n)) throw new InvariantError(`${entry.id}: takes more than the hold has`);
    holds.set(holdId, after);
  }
  return hold.token;
};

/**
 * Takes amounts for receivers out of a hold: each from what is held for it, then from what is held for the others, in their order.
 * @param most limit of what is taken in all
 */
export const takeFrom = (
  parts: readonly HoldPart[],
  wanted: readonly HoldPart[],
  most?: Amount,
): { taken: HoldPart[]; missing: HoldPart[] } => {
  let room = most ?? sumOfParts(parts);
  const left = parts.map((part) => ({ ...part }));
  const rest = wanted.map((part) => ({ ...part }));
  for (const own of [true, false]) {
    for (const want of rest) {
      for (const part of left) {
        if ((part.credit === want.credit) !== own) continue;
        const amount = [part.amount, want.amount, room].reduce((least, one) => (one < least ? one : least));
        part.amount -= amount;
        want.amount -= amount;
        room -= amount;
      }
    }
  }
  const taken = parts.map(({ credit, amount }, index) => ({ credit, amount: amount - (left[index]?.amount ?? 0n) }));
  return { taken: taken.filter(({ amount }) => amount > 0n), missing: rest.filter(({ amount }) => amount > 0n) };
};
