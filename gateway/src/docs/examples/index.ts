import { CARD_DATA_EXAMPLES } from './card-data.ts';
import { CARD_TRANSACTION_EXAMPLES } from './card-transactions.ts';
import { EVENT_EXAMPLES } from './events.ts';
import type { Example } from './example.ts';
import { IDENTITY_EXAMPLES } from './identity.ts';
import { NOTIFICATION_EXAMPLES } from './notifications.ts';
import { PARTNER_EXAMPLES } from './partners.ts';
import { PAYMENT_EXAMPLES } from './payments.ts';
import { WEBHOOK_EXAMPLES } from './webhooks.ts';

export type { Example } from './example.ts';

const OWN: Readonly<Record<string, Example>> = {
  ...IDENTITY_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...CARD_DATA_EXAMPLES,
  ...CARD_TRANSACTION_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...NOTIFICATION_EXAMPLES,
  ...PARTNER_EXAMPLES,
};

/** Partners read of a user what the user reads, in the same form. */
const READ_BY_PARTNERS = {
  listPartnerUserCards: 'listCards',
  listPartnerUserTransactions: 'listCardTransactions',
  getPartnerUserTransaction: 'getCardTransaction',
  getPartnerUserBalances: 'getBalances',
  listPartnerUserDeposits: 'listDeposits',
  listPartnerUserWithdrawals: 'listWithdrawals',
} as const;

/** The example of every operation, by operation id. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...OWN,
  ...Object.fromEntries(Object.entries(READ_BY_PARTNERS).map(([id, own]) => [id, OWN[own] ?? { response: undefined }])),
};
