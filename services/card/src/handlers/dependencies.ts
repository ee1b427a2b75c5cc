import type { Reservations } from '@florin/data/idempotency';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccountsClient } from '../clients/accounts.ts';
import type { AdjustmentsClient } from '../clients/adjustments.ts';
import type { ApprovalsClient } from '../clients/approvals.ts';
import type { HoldsClient } from '../clients/holds.ts';
import type { NoticesClient } from '../clients/notices.ts';
import type { PhoneVerifierClient } from '../clients/phone-verifier.ts';
import type { PhoneVerification } from '../domain/cardholder.ts';
import type { Program } from '../domain/program.ts';
import type { Issuing } from '../issuing/issue-card.ts';
import type { CardChanges } from '../life/change-card.ts';
import type { Renewals } from '../life/renew-card.ts';
import type { Replacements } from '../life/replace-card.ts';
import type { CardClocks } from '../payments/card-clocks.ts';
import type { Effects } from '../payments/carry-out-effects.ts';
import type { Deciding } from '../payments/decide-request.ts';
import type { Disputes } from '../payments/disputes.ts';
import type { Expiring } from '../payments/expire-payments.ts';
import type { EventRecorder } from '../payments/record-payment-event.ts';
import type { Reporting } from '../payments/report-event.ts';
import type { SpendingBook } from '../payments/spending-book.ts';
import type { Suspense } from '../payments/suspense.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { SpendingStore } from '../store/spendings.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  cardholders: CardholderStore;
  cards: CardStore;
  reservations: Reservations;
  issuing: Issuing;
  changes: CardChanges;
  renewals: Renewals;
  replacements: Replacements;
  accounts: AccountsClient;
  approvals: ApprovalsClient;
  notices: NoticesClient;
  phoneVerifier: PhoneVerifierClient;
  phoneVerification: PhoneVerification;
  deciding: Deciding;
  reporting: Reporting;
  payments: PaymentStore;
  claims: EventClaimStore;
  exceptions: ExceptionStore;
  suspense: Suspense;
  adjustments: AdjustmentsClient;
  /** Names of the clients that report events of the card network. */
  processors: () => readonly string[];
  spendings: SpendingStore;
  book: SpendingBook;
  /** The sandbox's clock of the cards. */
  clocks: CardClocks;
  expiring: Expiring;
  record: EventRecorder;
  effects: Effects;
  disputes: Disputes;
  /** True if this is a sandbox. */
  sandbox: boolean;
  holds: HoldsClient;
  program: Program;
  /** Days after the latest payment before which a user is not erased. */
  erasureWaitDays: number;
  runtime: Runtime;
};
