import type { ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { type AccountState, type HoldPart, type OpenHold, sumOfParts } from './account-state.ts';
import type { Intent } from './draft-block.ts';
import type { EntryKind, Proposal, Transfer } from './entry.ts';
import { addParts, encodeParts } from './hold-parts.ts';
import { inputHash } from './input-hash.ts';
import { userAccount } from './ledger-account.ts';
import { type Metadata, metadataText } from './metadata.ts';
import { intentRules, type OrderOptions, optionFacts, orderHash } from './transfer-order.ts';

/** Receivers of one hold. */
export const MAX_PARTS = 10;

export type HoldOrder = OrderOptions & {
  /** Caller-chosen UUID: the id of the entry, and of the hold. */
  id: string;
  accountId: string;
  token: string;
  /** Receivers and their amounts when the hold is posted; each receiver once. */
  parts: readonly HoldPart[];
  expiresAt: Date;
};

/** Which hold. */
export type HoldKey = { accountId: string; holdId: string };

/** How much of a hold: an amount when it has one receiver, or amounts by receiver. */
export type Share = { amount: Amount } | { token: string; parts: readonly HoldPart[] };

const setAside = (accountId: string, token: string, amount: Amount): Transfer => ({
  debit: userAccount(accountId, 'available'),
  credit: userAccount(accountId, 'held'),
  token,
  amount,
});

export const release = (accountId: string, token: string, amount: Amount): Transfer[] =>
  amount === 0n ? [] : [{ debit: userAccount(accountId, 'held'), credit: userAccount(accountId, 'available'), token, amount }];

/** Sets money aside: available → held. The record of it never changes; what becomes of it is another entry. */
export const holdOrdered = ({ id, accountId, token, parts, expiresAt, ...options }: HoldOrder): Intent => {
  const until = expiresAt.toISOString();
  const [first] = parts;
  const ordered = parts.map(({ credit, amount }) => ({ debit: userAccount(accountId, 'available'), credit, token, amount }));
  const proposal: Proposal = {
    id,
    kind: 'hold.created',
    accountId,
    inputHash: orderHash(ordered, options, until),
    transfers: [setAside(accountId, token, sumOfParts(parts))],
    data: {
      ...(parts.length === 1 && first !== undefined ? { credit: first.credit } : { parts: encodeParts(parts) }),
      expiresAt: until,
      ...optionFacts(options),
    },
  };
  return { id, inputHash: () => proposal.inputHash, accounts: [accountId], propose: () => proposal, ...intentRules(options) };
};

/** The ends of a hold without an id of their own share one entry id: of several that race the journal takes one. */
export const holdEndId = (holdId: string): string => `hold/${holdId}/ended`;
const holdChangeId = (holdId: string, changeId: string): string => `hold/${holdId}/change/${changeId}`;

/** A posting is the same one whichever hold it names: after a restore, the caller may no longer know the hold. */
export const postingEntryId = (postingId: string): string => `posting/${postingId}`;
/** Id of a posting's entry as releases up to 0.2 have written it. */
export const formerPostingEntryId = (holdId: string, postingId: string): string => `hold/${holdId}/posting/${postingId}`;
/** The posting of an entry, under either id; undefined for one without an id of its own. */
export const postingOf = (entryId: string): string | undefined => /(?:^|\/)posting\/([^/]+)$/.exec(entryId)?.[1];

export const shareText = (share: Share | undefined): string => {
  if (share === undefined) return '';
  return 'amount' in share ? share.amount.toString() : `${share.token} ${encodeParts(share.parts)}`;
};

export const metadataHash = (metadata: Metadata | undefined): string[] => {
  const text = metadata === undefined ? '' : metadataText(metadata);
  return text === '' ? [] : [text];
};

/** A share as amounts by receiver, or why the hold does not have it. */
export const partsOf = (hold: OpenHold, share: Share): readonly HoldPart[] | ErrorCode => {
  if ('parts' in share) return share.token === hold.token ? share.parts : 'TOKEN_MISMATCH';
  const [only] = hold.parts;
  return only === undefined || hold.parts.length > 1 ? 'AMOUNT_INVALID' : [{ credit: only.credit, amount: share.amount }];
};

type Step = { transfers: Transfer[]; data: Record<string, string> };

type HoldEntry = OrderOptions &
  Pick<Intent, 'former'> & {
    id: string;
    kind: EntryKind;
    key: HoldKey;
    hash: string;
    /** True if it needs a hold that has not expired; expiry itself needs one that has. */
    when: 'open' | 'expired' | 'always';
    /** The action on the open hold. */
    step: (hold: OpenHold, at: Date) => Step | ErrorCode;
    /** The behaviour without one. Default: HOLD_NOT_FOUND. */
    without?: () => Step;
  };

/** An entry about a hold: what it does is decided with the hold at hand. */
export const holdEntry = ({ id, former, kind, key, hash, when, step, without, ...options }: HoldEntry): Intent => {
  const { accountId, holdId } = key;
  const decide = (account: AccountState, at: Date): Step | ErrorCode => {
    const hold = account.holds.get(holdId);
    if (hold === undefined) return without?.() ?? 'HOLD_NOT_FOUND';
    const expired = at.getTime() >= hold.expiresAt;
    if (when === 'open' && expired) return 'HOLD_EXPIRED';
    if (when === 'expired' && !expired) return 'HOLD_EXPIRY_INVALID';
    return step(hold, at);
  };
  return {
    id,
    inputHash: () => hash,
    former,
    accounts: [accountId],
    ...intentRules(options),
    propose: (state, at) => {
      const account = state.account(accountId);
      if (account === undefined) return 'ACCOUNT_NOT_FOUND';
      const decided = decide(account, at);
      if (typeof decided === 'string') return decided;
      const data = { holdId, ...decided.data, ...optionFacts(options) };
      return { id, kind, accountId, inputHash: hash, transfers: decided.transfers, data };
    },
  };
};

/** A new expiry: in the future, and not before the present one. */
const isLater = (hold: OpenHold, expiresAt: Date, at: Date): boolean =>
  expiresAt.getTime() >= hold.expiresAt && expiresAt.getTime() > at.getTime();

/** Sets more money aside for a hold, and may extend it. */
export const holdIncreased = (
  key: HoldKey,
  changeId: string,
  { share, expiresAt, ...options }: OrderOptions & { share: Share; expiresAt?: Date | undefined },
): Intent => {
  const until = expiresAt?.toISOString();
  const forced = options.forced === true;
  return holdEntry({
    ...options,
    id: holdChangeId(key.holdId, changeId),
    kind: 'hold.increased',
    key,
    hash: inputHash('increase', shareText(share), until ?? '', String(forced), ...metadataHash(options.metadata)),
    when: forced ? 'always' : 'open',
    step: (hold, at) => {
      const parts = partsOf(hold, share);
      if (typeof parts === 'string') return parts;
      if (addParts(hold.parts, parts, 1n).length > MAX_PARTS) return 'AMOUNT_INVALID';
      if (expiresAt !== undefined && !isLater(hold, expiresAt, at)) return 'HOLD_EXPIRY_INVALID';
      return {
        transfers: [setAside(key.accountId, hold.token, sumOfParts(parts))],
        data: { parts: encodeParts(parts), ...(until === undefined ? {} : { expiresAt: until }) },
      };
    },
  });
};

/** Returns a part of a hold's money. */
export const holdDecreased = (key: HoldKey, changeId: string, { share, ...options }: OrderOptions & { share: Share }): Intent =>
  holdEntry({
    ...options,
    id: holdChangeId(key.holdId, changeId),
    kind: 'hold.decreased',
    key,
    hash: inputHash('decrease', shareText(share), ...metadataHash(options.metadata)),
    when: 'open',
    step: (hold) => {
      const parts = partsOf(hold, share);
      if (typeof parts === 'string') return parts;
      if (addParts(hold.parts, parts, -1n).some(({ amount }) => amount < 0n)) return 'AMOUNT_INVALID';
      return { transfers: release(key.accountId, hold.token, sumOfParts(parts)), data: { parts: encodeParts(parts) } };
    },
  });

/** Makes a hold expire later. */
export const holdExtended = (key: HoldKey, changeId: string, { expiresAt, ...options }: OrderOptions & { expiresAt: Date }): Intent =>
  holdEntry({
    ...options,
    id: holdChangeId(key.holdId, changeId),
    kind: 'hold.extended',
    key,
    hash: inputHash('extend', expiresAt.toISOString(), ...metadataHash(options.metadata)),
    when: 'open',
    step: (hold, at) =>
      isLater(hold, expiresAt, at) ? { transfers: [], data: { expiresAt: expiresAt.toISOString() } } : 'HOLD_EXPIRY_INVALID',
  });

const ended = (kind: EntryKind, key: HoldKey, hash: string, when: HoldEntry['when'], options: OrderOptions = {}): Intent =>
  holdEntry({
    ...options,
    id: holdEndId(key.holdId),
    kind,
    key,
    hash,
    when,
    step: ({ token, parts }) => ({ transfers: release(key.accountId, token, sumOfParts(parts)), data: {} }),
  });

/** Gives the money of a hold back. */
export const holdVoided = (key: HoldKey, options: OrderOptions = {}): Intent =>
  ended('hold.voided', key, inputHash('void', ...metadataHash(options.metadata)), 'open', options);

/** Gives the money of a hold back because its time is over. */
export const holdExpired = (key: HoldKey): Intent => ended('hold.expired', key, inputHash('expire'), 'expired');
