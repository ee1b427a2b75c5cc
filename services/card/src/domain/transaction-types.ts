import type { Amount } from '@florin/rpc/money';
import type { CardMerchant } from './card-merchant.ts';
import type { DeclineCode } from './decline-codes.ts';
import type { TransactionType } from './network-data.ts';
import { isCash, type Payment } from './payment.ts';

/** Types of transactions that a program has rules for. */
export const RULED_TYPES = ['cash', 'quasi_cash', 'account_funding', 'bill_payment'] as const satisfies readonly TransactionType[];

/** Rules of a type: declined or not, the largest amount, and whether it counts against the limits of cash. */
type TypeRule = { isDenied?: boolean; upTo?: Amount; countsAsCash?: boolean };
export type TypeRules = Readonly<Partial<Record<(typeof RULED_TYPES)[number], TypeRule>>>;

/** The type by the merchant category code (ISO 18245) where the network does not state it. */
const BY_CATEGORY: Readonly<Record<string, TransactionType>> = {
  ...{ '6010': 'cash', '6011': 'cash' },
  ...{ '4829': 'quasi_cash', '6050': 'quasi_cash', '6051': 'quasi_cash', '6540': 'quasi_cash' },
};

type Typed = {
  network?: { type?: TransactionType | undefined } | undefined;
  merchant?: CardMerchant | undefined;
  atm?: boolean | undefined;
};

/** An event as its payment is typed, which its first events tell: none that follows changes what it is. */
export const typedAs = (payment: Payment | undefined, { network, merchant, atm }: Typed): Typed => {
  if (payment === undefined) return { network, merchant, atm };
  const { type = network?.type } = payment.events.find((event) => event.network?.type !== undefined)?.network ?? {};
  return { network: { type }, merchant: payment.merchant ?? merchant, atm: isCash(payment) };
};

/** The rule for a payment; undefined where the program has none. Cash at machines has rules of its own. */
export const typeRule = (rules: TypeRules, { network, merchant, atm }: Typed): TypeRule | undefined => {
  const type = network?.type ?? BY_CATEGORY[merchant?.categoryCode ?? ''];
  const ruled = RULED_TYPES.find((one) => one === type);
  return ruled === undefined || atm === true ? undefined : rules[ruled];
};

/** Why a payment is declined for its type; undefined when it is not. A push to the card is no payment. */
export const typeDecline = (rules: TypeRules, payment: Typed & { billing: Amount }): DeclineCode | undefined => {
  if (payment.network?.type === 'original_credit') return 'transaction_invalid';
  const { isDenied = false, upTo } = typeRule(rules, payment) ?? {};
  if (isDenied) return 'type_blocked';
  return upTo !== undefined && payment.billing > upTo ? 'transaction_limit_exceeded' : undefined;
};
