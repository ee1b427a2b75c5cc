import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CardStatus } from '@florin/proto/card/v1/card';
import { DisputeStage } from '@florin/proto/card/v1/payment';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import { advanceDisputeBody, type DISPUTE_STAGES, reasonBody, resolveDepositBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { queueItemKey } from '../queues/read-queue.ts';
import { disputesOf } from '../views/card.ts';
import { wordOf } from '../views/words.ts';
import { type ActionCall, action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { requireOwn } from './read-person.ts';

/** The cardholder's text about a change by the issuer. The operator's reason is for the audit log only. */
const TOLD = 'by the card issuer';

/** The stages of disputes by the words of the contract with the pages. */
const STAGES: Readonly<Record<(typeof DISPUTE_STAGES)[number], DisputeStage>> = {
  chargeback: DisputeStage.CHARGEBACK,
  representment: DisputeStage.REPRESENTMENT,
  'pre-arbitration': DisputeStage.PRE_ARBITRATION,
  arbitration: DisputeStage.ARBITRATION,
  lost: DisputeStage.LOST,
  withdrawn: DisputeStage.WITHDRAWN,
};

/** Actions on a person's cards, sessions, disputes, account, identity check and deposits. Objects of another person are NOT_FOUND. */
export const personActions = (parts: Dependencies): Endpoint[] => {
  const { services } = parts;
  const base = '/api/people/{userId}';
  const named = ({ params }: ActionCall<unknown>, name: string): string => params[name] ?? '';

  const accountIdOf = async (call: ActionCall<unknown>): Promise<string> => {
    const { account } = await services.accounts.getAccount({ key: { case: 'userId', value: named(call, 'userId') } }, withinRequest(call));
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    return account.id;
  };

  const person = (call: ActionCall<unknown>) => ({ userId: named(call, 'userId'), requestId: call.requestId });

  const changeOf = async (call: ActionCall<unknown>) => {
    const cardId = named(call, 'cardId');
    const { card } = await services.cards.getCard({ cardId }, withinRequest(call));
    if (card?.userId !== named(call, 'userId')) throw new CodedError('CARD_NOT_FOUND');
    return { cardId, requestId: call.actionId, actor: call.actor, reason: TOLD };
  };
  /** A lost or stolen card is ended for a caller who misses it. The cardholder may order another one in its place. */
  const cardAction = (name: 'freeze' | 'unfreeze' | 'lost' | 'stolen'): Endpoint =>
    action(
      parts,
      { path: `${base}/cards/{cardId}/${name}`, access: 'cards.freeze', operation: `cards.${name}`, body: reasonBody },
      async (call) => {
        const change = await changeOf(call);
        const { freezeCard, unfreezeCard, reportCardLost, reportCardStolen } = services.cards;
        const { card } = await { freeze: freezeCard, unfreeze: unfreezeCard, lost: reportCardLost, stolen: reportCardStolen }[name](
          change,
          withinRequest(call),
        );
        return wordOf(CardStatus, card?.status ?? CardStatus.UNSPECIFIED);
      },
    );

  const accountAction = (name: 'block' | 'unblock'): Endpoint =>
    action(
      parts,
      { path: `${base}/account/${name}`, access: `accounts.${name}`, operation: `accounts.${name}`, body: reasonBody },
      async (call) => {
        const accountId = await accountIdOf(call);
        const { accounts } = services;
        const { account } = await (name === 'block' ? accounts.blockAccount : accounts.unblockAccount)({ accountId }, withinRequest(call));
        return wordOf(AccountStatus, account?.status ?? AccountStatus.UNSPECIFIED);
      },
    );

  return [
    cardAction('freeze'),
    cardAction('unfreeze'),
    cardAction('lost'),
    cardAction('stolen'),
    action(parts, { path: `${base}/notes`, access: 'people.read', operation: 'people.note', body: reasonBody }, async (call) => {
      const { user } = await services.users.getUser({ userId: named(call, 'userId') }, withinRequest(call));
      if (user === undefined) throw new CodedError('USER_NOT_FOUND');
      const note = { id: call.actionId, at: parts.runtime.now(), by: operatorIdOf(call.actor), text: call.body.reason };
      await parts.queueItems.note(queueItemKey('people', named(call, 'userId')), note);
      return 'noted';
    }),
    action(
      parts,
      { path: `${base}/sessions/{sessionId}/end`, access: 'sessions.end', operation: 'sessions.end', body: reasonBody },
      async (call) => {
        const session = { userId: named(call, 'userId'), sessionId: named(call, 'sessionId') };
        await services.sessions.endUserSession(session, withinRequest(call));
        return 'ended';
      },
    ),
    action(
      parts,
      {
        path: `${base}/payments/{paymentId}/disputes/{disputeId}/advance`,
        access: 'disputes.decide',
        operation: 'disputes.advance',
        body: advanceDisputeBody,
      },
      async (call) => {
        const [paymentId, disputeId] = [named(call, 'paymentId'), named(call, 'disputeId')];
        const { payment } = await services.payments.getPayment({ paymentId }, withinRequest(call));
        await requireOwn(parts, payment, person(call), 'PAYMENT_NOT_FOUND');
        const { stage, amount, deadline, networkCaseId, reason: note } = call.body;
        const step = {
          ...{ paymentId, disputeId, eventId: call.actionId, actor: call.actor, note, stage: STAGES[stage] },
          ...{ amount: amount ?? '', networkCaseId: networkCaseId ?? '' },
          ...(deadline === undefined ? {} : { deadline: timestampFromDate(new Date(deadline)) }),
        };
        const advanced = await services.payments.advanceDispute(step, withinRequest(call));
        const dispute = advanced.payment && disputesOf(advanced.payment).find(({ id }) => id === disputeId);
        return wordOf(DisputeStage, dispute?.stage ?? DisputeStage.UNSPECIFIED);
      },
    ),
    accountAction('block'),
    accountAction('unblock'),
    action(
      parts,
      { path: `${base}/kyc/take-back`, access: 'kyc.take-back', operation: 'kyc.take-back', body: reasonBody },
      async (call) => {
        const { status } = await services.kyc.takeKycBack({ requestId: call.actionId, userId: named(call, 'userId') }, withinRequest(call));
        return wordOf(KycStatus, status);
      },
    ),
    action(
      parts,
      {
        path: `${base}/deposits/{depositId}/resolve`,
        access: 'deposits.resolve',
        operation: 'deposits.resolve',
        body: resolveDepositBody,
      },
      async (call) => {
        const depositId = named(call, 'depositId');
        const { deposit } = await services.movements.getDeposit({ depositId }, withinRequest(call));
        await requireOwn(parts, deposit, person(call), 'DEPOSIT_NOT_FOUND');
        const status = call.body.outcome === 'approved' ? DepositStatus.APPROVED : DepositStatus.REJECTED;
        const metadata = { actor: call.actor, reason: call.body.reason };
        const resolved = await services.movements.resolveDeposit({ depositId, status, metadata }, withinRequest(call));
        return wordOf(DepositStatus, resolved.deposit?.status ?? DepositStatus.UNSPECIFIED);
      },
    ),
  ];
};
