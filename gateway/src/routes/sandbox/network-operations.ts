import { CorrectionDirection } from '@florin/proto/card/v1/processor_service';
import { type NetworkOperation, networkOperation } from './network-operation.ts';

export const clearPayment = networkOperation({
  operationId: 'sandboxClearPayment',
  action: 'clear',
  summary: 'Clear a payment',
  description: 'Books a clearing: whole, partial (`final: false`), above the authorization, or late.',
  hasFinal: true,
  send: (network, { final, ...sent }, options) => network.clear({ ...sent, moreExpected: !final }, options),
});

export const forcePayment = networkOperation({
  operationId: 'sandboxForcePayment',
  action: 'force',
  summary: 'Force a posting',
  description: 'Books a clearing beside what is held.',
  send: (network, { final: _final, ...sent }, options) => network.clear({ ...sent, forcePost: true }, options),
});

export const reversePayment = networkOperation({
  operationId: 'sandboxReversePayment',
  action: 'reverse',
  summary: 'Reverse a payment',
  description: 'Releases a part of what is held; without an amount all of it.',
  amount: 'optional',
  send: (network, { final: _final, ...sent }, options) => network.reverse(sent, options),
});

export const expirePayment = networkOperation({
  operationId: 'sandboxExpirePayment',
  action: 'expire',
  summary: 'Expire a payment',
  description: 'Releases what is held.',
  amount: 'none',
  send: (network, { event }, options) => network.expire({ event }, options),
});

export const refundPayment = networkOperation({
  operationId: 'sandboxRefundPayment',
  action: 'refund',
  summary: 'Refund a payment',
  description:
    'Credits the account with a refund of the payment. It may exceed what was cleared, as it may in card networks: it is booked, and the operator sees an exception.',
  send: (network, { final: _final, ...sent }, options) => network.refund(sent, options),
});

export const advisePayment = networkOperation({
  operationId: 'sandboxAdvisePayment',
  action: 'advise',
  summary: 'Advise of an authorization',
  description: 'Reports that the network has approved in the place of the issuer: sets the held amount, whatever the balance.',
  send: (network, { final: _final, ...sent }, options) => network.advise(sent, options),
});

export const announceCredit = networkOperation({
  operationId: 'sandboxAnnounceCredit',
  action: 'announce-credit',
  summary: 'Announce a credit',
  description: 'Reports a refund that is to come: it is shown as pending, and nothing is booked.',
  send: (network, { final: _final, ...sent }, options) => network.announceCredit(sent, options),
});

const correction = (direction: CorrectionDirection): NetworkOperation['send'] => {
  return (network, { final: _final, ...sent }, options) => network.correct({ ...sent, direction }, options);
};

export const correctDebit = networkOperation({
  operationId: 'sandboxCorrectDebit',
  action: 'correct-debit',
  summary: 'Correct a payment with a debit',
  description: 'Books a correction of the network from the account, beside what is held.',
  send: correction(CorrectionDirection.DEBIT),
});

export const correctCredit = networkOperation({
  operationId: 'sandboxCorrectCredit',
  action: 'correct-credit',
  summary: 'Correct a payment with a credit',
  description: 'Books a correction of the network to the account.',
  send: correction(CorrectionDirection.CREDIT),
});
