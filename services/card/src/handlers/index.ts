import { CardService } from '@florin/proto/card/v1/card_service';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { SandboxService } from '@florin/proto/card/v1/sandbox_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { acknowledge } from './acknowledge.ts';
import { advanceClock } from './advance-clock.ts';
import { advanceDispute } from './advance-dispute.ts';
import { advise } from './advise.ts';
import { announceCredit } from './announce-credit.ts';
import { authorize } from './authorize.ts';
import { authorizeCredit } from './authorize-credit.ts';
import { batchGetCards } from './batch-get-cards.ts';
import { cancelCard } from './cancel-card.ts';
import { clear } from './clear.ts';
import { correct } from './correct.ts';
import { countCards } from './count-cards.ts';
import { countPayments } from './count-payments.ts';
import { createCardChangeChallenge } from './create-card-change-challenge.ts';
import { createVirtualCard } from './create-virtual-card.ts';
import { credit } from './credit.ts';
import type { Dependencies } from './dependencies.ts';
import { disputePayment } from './dispute-payment.ts';
import { expire } from './expire.ts';
import { findCards } from './find-cards.ts';
import { findPayments } from './find-payments.ts';
import { findPaymentsByReference } from './find-payments-by-reference.ts';
import { freezeCard } from './freeze-card.ts';
import { getCard } from './get-card.ts';
import { getCardControls } from './get-card-controls.ts';
import { getCardLimits } from './get-card-limits.ts';
import { getCurrentCardholder } from './get-current-cardholder.ts';
import { getException } from './get-exception.ts';
import { getPayment } from './get-payment.ts';
import { getProgram } from './get-program.ts';
import { increment } from './increment.ts';
import { inquireBalance } from './inquire-balance.ts';
import { listCards } from './list-cards.ts';
import { listDisputes } from './list-disputes.ts';
import { listExceptions } from './list-exceptions.ts';
import { listPayments } from './list-payments.ts';
import { refund } from './refund.ts';
import { renameCard } from './rename-card.ts';
import { renewCard } from './renew-card.ts';
import { replaceCard } from './replace-card.ts';
import { replayPayments } from './replay-payments.ts';
import { reportCardLost } from './report-card-lost.ts';
import { reportCardStolen } from './report-card-stolen.ts';
import { reportDecline } from './report-decline.ts';
import { resolveDispute } from './resolve-dispute.ts';
import { resolveException } from './resolve-exception.ts';
import { reverse } from './reverse.ts';
import { reverseAnnouncedCredit } from './reverse-announced-credit.ts';
import { reverseRefund } from './reverse-refund.ts';
import { setCardControls } from './set-card-controls.ts';
import { setCardLimits } from './set-card-limits.ts';
import { unfreezeCard } from './unfreeze-card.ts';
import { updatePhone } from './update-phone.ts';
import { verify } from './verify.ts';
import { withdrawDispute } from './withdraw-dispute.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(CardService, {
    createVirtualCard: createVirtualCard(dependencies),
    listCards: listCards(dependencies),
    getCard: getCard(dependencies),
    countCards: countCards(dependencies),
    findCards: findCards(dependencies),
    batchGetCards: batchGetCards(dependencies),
    freezeCard: freezeCard(dependencies),
    unfreezeCard: unfreezeCard(dependencies),
    reportCardLost: reportCardLost(dependencies),
    reportCardStolen: reportCardStolen(dependencies),
    cancelCard: cancelCard(dependencies),
    renameCard: renameCard(dependencies),
    replaceCard: replaceCard(dependencies),
    renewCard: renewCard(dependencies),
    updatePhone: updatePhone(dependencies),
    getCurrentCardholder: getCurrentCardholder(dependencies),
    getProgram: getProgram(dependencies),
  }),
  implement(PaymentService, {
    disputePayment: disputePayment(dependencies),
    advanceDispute: advanceDispute(dependencies),
    withdrawDispute: withdrawDispute(dependencies),
    listDisputes: listDisputes(dependencies),
    resolveDispute: resolveDispute(dependencies),
    replayPayments: replayPayments(dependencies),
    countPayments: countPayments(dependencies),
    findPayments: findPayments(dependencies),
    findPaymentsByReference: findPaymentsByReference(dependencies),
    getCardControls: getCardControls(dependencies),
    getCardLimits: getCardLimits(dependencies),
    getPayment: getPayment(dependencies),
    listPayments: listPayments(dependencies),
    setCardControls: setCardControls(dependencies),
    setCardLimits: setCardLimits(dependencies),
    createCardChangeChallenge: createCardChangeChallenge(dependencies),
  }),
  implement(ExceptionService, {
    listExceptions: listExceptions(dependencies),
    getException: getException(dependencies),
    resolveException: resolveException(dependencies),
  }),
  implement(ProcessorService, {
    authorize: authorize(dependencies),
    increment: increment(dependencies),
    acknowledge: acknowledge(dependencies),
    advise: advise(dependencies),
    reportDecline: reportDecline(dependencies),
    reverse: reverse(dependencies),
    expire: expire(dependencies),
    clear: clear(dependencies),
    refund: refund(dependencies),
    reverseRefund: reverseRefund(dependencies),
    credit: credit(dependencies),
    authorizeCredit: authorizeCredit(dependencies),
    announceCredit: announceCredit(dependencies),
    reverseAnnouncedCredit: reverseAnnouncedCredit(dependencies),
    correct: correct(dependencies),
    inquireBalance: inquireBalance(dependencies),
    verify: verify(dependencies),
  }),
  ...(dependencies.sandbox ? [implement(SandboxService, { advanceClock: advanceClock(dependencies) })] : []),
  servePersonalData(dependencies),
];
