import { CorrectionDirection } from '@florin/proto/card/v1/processor_service';
import { type NetworkOperation, networkOperation } from './network-operation.ts';

export const clearPayment = networkOperation({
  operationId: 'sandboxClearPayment',
  action: 'clear',
  summary: 'Clear a payment',
  description: 'Books a clearing: whole, partial (`final: false`), above the authorization, or late.',
  needsAmount: true,
  send: (network, { event, amount, final }, options) =>
    network.clear({ event, ...(amount === undefined ? {} : { amount }), moreExpected: !final }, options),
});

export const forcePayment = networkOperation({
  operationId: 'sandboxForcePayment',
  action: 'force',
  summary: 'Force a posting',
  description: 'Books a clearing beside what is held.',
  needsAmount: true,
  send: (network, { event, amount }, options) =>
    network.clear({ event, ...(amount === undefined ? {} : { amount }), forcePost: true }, options),
});

export const reversePayment = networkOperation({
  operationId: 'sandboxReversePayment',
  action: 'reverse',
  summary: 'Reverse a payment',
  description: 'Releases a part of what is held; without an amount all of it.',
  needsAmount: false,
  send: (network, { event, amount }, options) => network.reverse({ event, ...(amount === undefined ? {} : { amount }) }, options),
});

export const expirePayment = networkOperation({
  operationId: 'sandboxExpirePayment',
  action: 'expire',
  summary: 'Expire a payment',
  description: 'Releases what is held.',
  needsAmount: false,
  send: (network, { event }, options) => network.expire({ event }, options),
});

export const refundPayment = networkOperation({
  operationId: 'sandboxRefundPayment',
  action: 'refund',
  summary: 'Refund a payment',
  description: 'Credits the account with a refund of the payment.',
  needsAmount: true,
  send: (network, { event, amount }, options) => network.refund({ event, ...(amount === undefined ? {} : { amount }) }, options),
});

export const advisePayment = networkOperation({
  operationId: 'sandboxAdvisePayment',
  action: 'advise',
  summary: 'Advise of an authorization',
  description: 'Reports that the network has approved in the place of the issuer: sets the held amount, whatever the balance.',
  needsAmount: true,
  send: (network, { event, amount }, options) => network.advise({ event, ...(amount === undefined ? {} : { amount }) }, options),
});

export const announceCredit = networkOperation({
  operationId: 'sandboxAnnounceCredit',
  action: 'announce-credit',
  summary: 'Announce a credit',
  description: 'Reports a refund that is to come: it is shown as pending, and nothing is booked.',
  needsAmount: true,
  send: (network, { event, amount }, options) => network.announceCredit({ event, ...(amount === undefined ? {} : { amount }) }, options),
});

const correction = (direction: CorrectionDirection): NetworkOperation['send'] => {
  return (network, { event, amount }, options) =>
    network.correct({ event, direction, ...(amount === undefined ? {} : { amount }) }, options);
};

export const correctDebit = networkOperation({
  operationId: 'sandboxCorrectDebit',
  action: 'correct-debit',
  summary: 'Correct a payment with a debit',
  description: 'Books a correction of the network from the account, beside what is held.',
  needsAmount: true,
  send: correction(CorrectionDirection.DEBIT),
});

export const correctCredit = networkOperation({
  operationId: 'sandboxCorrectCredit',
  action: 'correct-credit',
  summary: 'Correct a payment with a credit',
  description: 'Books a correction of the network to the account.',
  needsAmount: true,
  send: correction(CorrectionDirection.CREDIT),
});
