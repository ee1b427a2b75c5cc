import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { AuthenticationsClient } from '../clients/authentications.ts';
import type { HoldsClient } from '../clients/holds.ts';
import type { Program } from '../domain/program.ts';
import type { CardChanges } from '../life/change-card.ts';
import type { AuthorizationDecider } from '../ports/authorization-decider.ts';
import type { RateSource } from '../ports/rate-source.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { SpendingStore } from '../store/spendings.ts';
import { createDeciderQuestion } from './ask-decider.ts';
import { createBackground } from './background.ts';
import { createCardClocks } from './card-clocks.ts';
import { createEffects } from './carry-out-effects.ts';
import { createDeciding } from './decide-request.ts';
import { Disputes } from './disputes.ts';
import { createExpiring } from './expire-payments.ts';
import { createJudging } from './judge-request.ts';
import { startPaymentSweeper } from './payment-sweeper.ts';
import { createPreparation } from './prepare-event.ts';
import { createEventRecorder } from './record-payment-event.ts';
import { createRelating } from './relate-refund.ts';
import { createReporting } from './report-event.ts';
import { createReservations } from './reservations.ts';
import { createSpendingBook } from './spending-book.ts';
import { Suspense } from './suspense.ts';
import { createHoldTaking } from './take-hold.ts';

export type PaymentsParts = {
  payments: PaymentStore;
  spendings: SpendingStore;
  claims: EventClaimStore;
  exceptions: ExceptionStore;
  cardholders: CardholderStore;
  cards: CardStore;
  changes: CardChanges;
  holds: HoldsClient;
  authentications: AuthenticationsClient;
  decider: AuthorizationDecider | undefined;
  rates: RateSource;
  reference: RateSource | undefined;
  program: Program;
  deadlineMs: number;
  runtime: Runtime;
  logger: Logger;
  /** Registers a release for the end of the process. */
  defer: (release: () => unknown) => void;
};

/** Wires what card payments consist of, and starts their sweeper. */
export const wirePayments = (parts: PaymentsParts) => {
  const { payments, spendings, claims, holds, program, runtime, logger, defer } = parts;
  const book = createSpendingBook({ spendings });
  const reservations = createReservations({ book, program, runtime });
  const record = createEventRecorder(parts);
  const relating = createRelating({ ...parts, record });
  const effects = createEffects({ ...parts, reservations, relating });
  const preparation = createPreparation({ ...parts, book });
  const suspense = new Suspense({ ...parts, preparation });

  const background = createBackground(logger);
  defer(background.settled);

  const expiring = createExpiring({ payments, record, effects });
  const shared = { preparation, claims, payments, record, effects, suspense, program, background: background.run };
  const deciding = createDeciding({
    ...shared,
    reservations,
    authentications: parts.authentications,
    takeHold: createHoldTaking({ holds, program, runtime }),
    judge: createJudging({ ...parts, reservations, askDecider: createDeciderQuestion(parts) }),
    deadlineMs: parts.deadlineMs,
  });
  const sweeper = startPaymentSweeper({ ...parts, reservations, record, effects, expiring, suspense });
  defer(sweeper.close);
  const clocks = createCardClocks({ ...parts, book });
  const disputes = new Disputes({ ...parts, record, relating, effects });
  return { book, clocks, record, effects, disputes, deciding, reporting: createReporting(shared), suspense, expiring };
};
