import { ChallengeStatus, Decision as WireDecision, type Merchant as WireMerchant } from '@florin/proto/threeds/v1/challenge';
import { createWords, stated } from '@florin/rpc/contract';
import type { Decision } from '../domain/challenge.ts';
import type { Merchant } from '../domain/merchant.ts';

export const STATUS_WORDS = createWords(ChallengeStatus);

export const DECISION_WORDS = createWords(WireDecision);

/** A decision that the contract requires. */
export const toDecision = (value: WireDecision): Decision => stated(DECISION_WORDS.toWord(value));

/** A merchant as it is stored: empty fields are absent. */
export const toMerchant = ({ id, displayName, country, categoryCode }: Omit<WireMerchant, '$typeName'>): Merchant => ({
  ...(id === '' ? {} : { id }),
  ...(displayName === '' ? {} : { displayName }),
  ...(country === '' ? {} : { country }),
  ...(categoryCode === '' ? {} : { categoryCode }),
});
