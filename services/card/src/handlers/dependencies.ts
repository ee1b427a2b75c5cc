import type { Reservations } from '@florin/data/idempotency';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccountsClient } from '../clients/accounts.ts';
import type { PhoneVerifierClient } from '../clients/phone-verifier.ts';
import type { PhoneVerification } from '../domain/cardholder.ts';
import type { Issuing } from '../issuing/issue-card.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  cardholders: CardholderStore;
  cards: CardStore;
  reservations: Reservations;
  issuing: Issuing;
  accounts: AccountsClient;
  phoneVerifier: PhoneVerifierClient;
  phoneVerification: PhoneVerification;
  runtime: Runtime;
};
