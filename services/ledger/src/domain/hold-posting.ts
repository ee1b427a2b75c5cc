import type { ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { type HoldPart, type OpenHold, sumOfParts } from './account-state.ts';
import type { Intent } from './draft-block.ts';
import type { Transfer } from './entry.ts';
import {
  formerPostingEntryId,
  type HoldKey,
  holdEndId,
  holdEntry,
  metadataHash,
  partsOf,
  postingEntryId,
  release,
  type Share,
  shareText,
} from './hold.ts';
import { encodeParts, takeFrom } from './hold-parts.ts';
import { inputHash } from './input-hash.ts';
import { type Bucket, userAccount } from './ledger-account.ts';
import type { OrderOptions } from './transfer-order.ts';

export type HoldPosting = OrderOptions & {
  /** Caller-chosen UUID; undefined for the one posting that ends the hold. */
  postingId?: string | undefined;
  /** The selection; undefined takes everything. */
  share?: Share | undefined;
  /** True if the hold stays open. */
  keepOpen?: boolean | undefined;
  /** Of a forced posting: at most this much is taken from what is held. Default: as much as is held. */
  fromHold?: Amount | undefined;
};

const pay = (accountId: string, from: Bucket, token: string, parts: readonly HoldPart[]): Transfer[] =>
  parts.flatMap(({ credit, amount }) => (amount === 0n ? [] : [{ debit: userAccount(accountId, from), credit, token, amount }]));

const wantedOf = (hold: OpenHold, share: Share | undefined): readonly HoldPart[] | ErrorCode => {
  if (share !== undefined) return partsOf(hold, share);
  const everything = hold.parts.filter(({ amount }) => amount > 0n);
  return everything.length === 0 ? 'AMOUNT_INVALID' : everything;
};

/**
 * Takes the money of a hold, whole or in part. A forced posting takes from what is available what the hold does not have, and all of it
 * when the hold is not open (any more) and the posting has an id of its own; `settleDebt` then decides what becomes debt.
 */
export const holdPosted = (key: HoldKey, { postingId, share, keepOpen = false, fromHold, ...options }: HoldPosting = {}): Intent => {
  const { accountId, holdId } = key;
  const forced = options.forced === true;
  const hashOf = (...flags: readonly (string | false)[]): string =>
    inputHash('post', shareText(share), ...flags.filter((flag) => flag !== false), ...metadataHash(options.metadata));
  const asWritten = hashOf(keepOpen && 'keep', forced && 'forced');
  // A forced posting is about the money alone: the same one may come again where the caller has lost the hold, and so what was to become of it.
  const identity =
    postingId === undefined
      ? { id: holdEndId(holdId), hash: asWritten }
      : {
          id: postingEntryId(postingId),
          hash: forced ? hashOf('forced') : asWritten,
          former: { id: formerPostingEntryId(holdId, postingId), inputHash: asWritten },
        };
  return holdEntry({
    ...options,
    ...identity,
    kind: 'hold.posted',
    key,
    when: forced ? 'always' : 'open',
    step: (hold) => {
      const wanted = wantedOf(hold, share);
      if (typeof wanted === 'string') return wanted;
      const { taken, missing } = takeFrom(hold.parts, wanted, fromHold);
      if (missing.length > 0 && !forced) return 'AMOUNT_INVALID';
      const lacking = new Map(missing.map(({ credit, amount }) => [credit, amount]));
      const held = wanted.map(({ credit, amount }) => ({ credit, amount: amount - (lacking.get(credit) ?? 0n) }));
      const rest = keepOpen ? 0n : sumOfParts(hold.parts) - sumOfParts(taken);
      return {
        transfers: [
          ...pay(accountId, 'held', hold.token, held),
          ...pay(accountId, 'available', hold.token, missing),
          ...release(accountId, hold.token, rest),
        ],
        data: keepOpen ? { keepOpen: '1', parts: encodeParts(taken) } : {},
      };
    },
    // Only under an id of its own: the id of a hold's end is left to the hold, which may be created later and has to end.
    ...(forced && postingId !== undefined && share !== undefined && 'parts' in share
      ? { without: () => ({ transfers: pay(accountId, 'available', share.token, share.parts), data: { late: '1' } }) }
      : {}),
  });
};
