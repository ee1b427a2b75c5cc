import type { CardMerchant } from '../domain/card-merchant.ts';
import type { EntryMode } from '../domain/payment.ts';

/** An authorization as an external decider sees it. Amounts are integer strings in minor units. */
export type DeciderRequest = {
  paymentId: string;
  /** The processor's id of the request: a payment has one authorization and any number of increments. */
  eventId: string;
  cardId: string;
  accountId: string;
  type: 'authorization' | 'increment';
  /** In the transaction's currency. */
  amount: string;
  currency: string;
  billingAmount: string;
  billingCurrency: string;
  atm: boolean;
  merchant?: CardMerchant | undefined;
  entryMode?: EntryMode | undefined;
};

/** Port to a system of the operator that has a say in authorizations. */
export type AuthorizationDecider = {
  /**
   * Approves or declines within `timeoutMs`.
   * @throws when there is no valid verdict in time; the program's fallback then applies
   */
  decide: (request: DeciderRequest, timeoutMs: number) => Promise<'approve' | 'decline' | 'suspected_fraud'>;
};
