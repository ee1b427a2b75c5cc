import { expect, test } from 'vitest';
import { describeFailure, WalletError } from './failure.ts';

const failed = (code: string) => Object.assign(new Error(code), { code, requestId: 'request-1' });

test('has words of its own for wallets and for a text that does not fit', () => {
  const error = new WalletError('WALLET_OTHER_ACCOUNT', 'wallet.wrong', { address: '0x1' });
  expect(describeFailure(error)).toMatchObject({
    code: 'WALLET_OTHER_ACCOUNT',
    kind: 'other',
    detail: { key: 'wallet.wrong', values: { address: '0x1' } },
  });
  expect(describeFailure(new WalletError('WALLET_REFUSED', 'wallet.refused'))).toMatchObject({ kind: 'choice' });
  expect(describeFailure(failed('UNEXPECTED_TEXT'))).toMatchObject({ requestId: 'request-1', detail: { key: 'approve.unexpected' } });
});

test('leaves the errors of the platform to their codes', () => {
  expect(describeFailure(failed('CARD_STATE_CONFLICT'))).toMatchObject({ code: 'CARD_STATE_CONFLICT', detail: undefined });
});
