import type { Reservations } from '@florin/data/idempotency';
import type { Runtime } from '@florin/rpc/runtime';
import type { Accounts } from '../clients/accounts.ts';
import type { PhoneVerifier } from '../clients/phone-verifier.ts';
import type { PhoneVerification } from '../domain/cardholder.ts';
import type { Issuing } from '../issuing/issue-card.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';

/** What the handlers are made of; each names the parts that it uses. */
export type Dependencies = {
  cardholders: CardholderStore;
  cards: CardStore;
  reservations: Reservations;
  issuing: Issuing;
  accounts: Accounts;
  phoneVerifier: PhoneVerifier;
  phoneVerification: PhoneVerification;
  runtime: Runtime;
};
