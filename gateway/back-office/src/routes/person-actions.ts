import { CardStatus } from '@florin/proto/card/v1/card';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import { reasonBody, resolveDepositBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { queueItemKey } from '../queues/read-queue.ts';
import { wordOf } from '../views/words.ts';
import { type ActionCall, action } from './act.ts';
import type { Dependencies } from './dependencies.ts';

/** The cardholder's text about a change by the issuer. The operator's reason is for the audit log only. */
const TOLD = 'by the card issuer';

/** Actions on a person's cards, account, identity check and deposits. Objects of another person are NOT_FOUND. */
export const personActions = (parts: Dependencies): Endpoint[] => {
  const { services } = parts;
  const base = '/api/people/{userId}';
  const named = ({ params }: ActionCall<unknown>, name: string): string => params[name] ?? '';

  const accountIdOf = async (call: ActionCall<unknown>): Promise<string> => {
    const { account } = await services.accounts.getAccount({ key: { case: 'userId', value: named(call, 'userId') } }, withinRequest(call));
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    return account.id;
  };

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
        const [accountId, { deposit }] = await Promise.all([
          accountIdOf(call),
          services.movements.getDeposit({ depositId }, withinRequest(call)),
        ]);
        if (deposit?.accountId !== accountId) throw new CodedError('DEPOSIT_NOT_FOUND');
        const status = call.body.outcome === 'approved' ? DepositStatus.APPROVED : DepositStatus.REJECTED;
        const metadata = { actor: call.actor, reason: call.body.reason };
        const resolved = await services.movements.resolveDeposit({ depositId, status, metadata }, withinRequest(call));
        return wordOf(DepositStatus, resolved.deposit?.status ?? DepositStatus.UNSPECIFIED);
      },
    ),
  ];
};
