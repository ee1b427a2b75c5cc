import type { Amount } from '@florin/rpc/money';
import type { CardMerchant } from './card-merchant.ts';
import type { CardChecks } from './check-request.ts';
import type { EntryMode, Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';

/** Results of 3-D Secure that another access control server has reached. */
const AUTHENTICATION_RESULTS = ['challenged', 'frictionless', 'attempted', 'requestor_initiated'] as const;

/** Exemptions from strong customer authentication (PSD2 RTS), and an authentication that was delegated. */
const EXEMPTIONS = [
  ...(['low_value', 'transaction_risk', 'trusted_beneficiary', 'recurring', 'secure_corporate', 'unattended_terminal'] as const),
  'delegated',
] as const;

/** Claims about a request in place of a challenge of ours. The entry mode claims that the merchant initiates the payment. */
export const CLAIMS = [...AUTHENTICATION_RESULTS, ...EXEMPTIONS, 'merchant_initiated'] as const;
export type Claim = (typeof CLAIMS)[number];

/** The terms on which a program accepts a claim: up to an amount, from some clients alone, without the payment that it follows from. */
export type ClaimTerms = { upTo?: Amount; clients?: readonly string[]; withoutOriginal?: boolean };

/** Claims that are not named are not accepted. */
export type ClaimRules = Readonly<Partial<Record<Claim, ClaimTerms>>>;

/** Claims of an access control server, which has made an authentication value that the processor has verified. */
const WITH_VALUE: ReadonlySet<Claim> = new Set(AUTHENTICATION_RESULTS);

/** Claims that follow from an earlier payment, whose cardholder was authenticated. */
const WITH_ORIGINAL: ReadonlySet<Claim> = new Set(['requestor_initiated', 'recurring', 'merchant_initiated'] as const);

/** Claims that the cardholder was authenticated. */
const AUTHENTICATING: ReadonlySet<Claim> = new Set(['challenged', 'delegated'] as const);

/** Transport fares and parking (PSD2 RTS, Art. 12). */
const UNATTENDED_CATEGORIES: ReadonlySet<string> = new Set(['4111', '4112', '4131', '4784', '7523']);

/** Reports whether it is a contactless payment at an unattended terminal, which needs no authentication. */
export const isUnattended = ({
  entryMode,
  merchant,
}: {
  entryMode?: EntryMode | undefined;
  merchant?: CardMerchant | undefined;
}): boolean => entryMode === 'contactless' && UNATTENDED_CATEGORIES.has(merchant?.categoryCode ?? '');

export const authenticates = (claim: Claim | undefined): boolean => claim !== undefined && AUTHENTICATING.has(claim);

/** Reports whether the payment counts among those without an authentication: only small ones do (PSD2 RTS, Art. 16). */
export const isCounted = (claim: Claim | undefined): boolean => claim === undefined || claim === 'low_value' || authenticates(claim);

/** The claims of a request. */
export const claimsOf = (stated: readonly (Claim | undefined)[], entryMode: EntryMode | undefined): Claim[] => [
  ...stated.filter((claim) => claim !== undefined),
  ...(entryMode === 'merchant_initiated' ? ['merchant_initiated' as const] : []),
];

/** Requests that may follow from an authenticated payment. */
export const needsOriginal = (claims: readonly Claim[]): boolean => claims.some((claim) => WITH_ORIGINAL.has(claim));

/** Reports whether an approved request of the payment was authenticated, or followed from one that was. */
const isAuthenticated = ({ events }: Payment): boolean =>
  events.some(({ challengeId, exemption, decision }) => {
    if (decision === undefined || decision.decline !== undefined) return false;
    return challengeId !== undefined || authenticates(exemption) || (exemption !== undefined && WITH_ORIGINAL.has(exemption));
  });

const sameMerchant = (one: CardMerchant | undefined, other: CardMerchant | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  ((one.id !== undefined && one.id === other.id) || (one.name !== undefined && one.name === other.name));

/** Reports whether both are for the same amount: a recurring payment is (PSD2 RTS, Art. 14), one that a merchant initiates need not be. */
const sameAmount = ({ events }: Payment, { amount, currency }: ClaimingRequest): boolean =>
  events.some((event) => event.amount === amount && event.currency === currency);

type ClaimingRequest = {
  claims: readonly Claim[];
  /** The client that states them. */
  processor: string;
  /** All that the payment amounts to, in the billing currency's minor unit. */
  total: Amount;
  amount?: Amount | undefined;
  currency?: string | undefined;
  merchant?: CardMerchant | undefined;
  entryMode?: EntryMode | undefined;
  checks: CardChecks;
};

const fits = (claim: Claim, request: ClaimingRequest, originals: readonly Payment[], { withoutOriginal = false }: ClaimTerms): boolean => {
  if (WITH_VALUE.has(claim) && request.checks.authenticationValue !== 'correct') return false;
  if (claim === 'unattended_terminal') return isUnattended(request);
  if (!WITH_ORIGINAL.has(claim) || withoutOriginal) return true;
  return originals.some(
    (original) =>
      isAuthenticated(original) &&
      sameMerchant(original.merchant, request.merchant) &&
      (claim !== 'recurring' || sameAmount(original, request)),
  );
};

/**
 * Returns the first claim of a request that the program accepts.
 * @param originals the payments that the request says it follows from
 */
export const acceptedClaim = (rules: ClaimRules, request: ClaimingRequest, originals: readonly Payment[]): Claim | undefined =>
  request.claims.find((claim) => {
    const terms = rules[claim];
    if (terms === undefined || (terms.upTo !== undefined && request.total > terms.upTo)) return false;
    return (terms.clients?.includes(request.processor) ?? true) && fits(claim, request, originals, terms);
  });

/** The accepted claim of what a payment holds that covers it with an increase as well. A recurring payment is for its amount. */
export const claimForIncrease = (rules: ClaimRules, { events }: Payment, total: Amount): Claim | undefined => {
  const opened: PaymentEventType = 'authorization';
  const { exemption } =
    events.find(({ type, decision }: PaymentEvent) => type === opened && decision !== undefined && !decision.decline) ?? {};
  if (exemption === undefined || exemption === 'recurring') return undefined;
  const terms = rules[exemption];
  return terms === undefined || (terms.upTo !== undefined && total > terms.upTo) ? undefined : exemption;
};
