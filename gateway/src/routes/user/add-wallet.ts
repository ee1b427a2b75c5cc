import { defineRoute } from '../../http/define-route.ts';
import { present } from '../../schemas/fields.ts';
import { signedMessage } from '../../schemas/signed-message.ts';
import { wallet } from '../../schemas/user.ts';

export const addWallet = defineRoute({
  operationId: 'addWallet',
  method: 'post',
  path: '/user/wallets',
  tag: 'User',
  summary: 'Add a sign-in wallet',
  description:
    'The new wallet proves itself: the message is one that `GET /auth/siwe/{address}` made for its address, signed by it. The session must be younger than five minutes: sign in again otherwise. Ten wallets at most.',
  policy: 'user',
  rateLimit: 'auth',
  body: signedMessage,
  answers: { 200: wallet },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'INVALID_SIGNATURE',
    'NONCE_EXPIRED',
    'NONCE_USED',
    'DOMAIN_NOT_ALLOWED',
    'WALLET_IN_USE',
    'WALLET_LIMIT_REACHED',
    'USER_NOT_FOUND',
  ],
  // The caller's own credentials are good: it is what they handed in that is not.
  statusOf: { NONCE_EXPIRED: 400, NONCE_USED: 400 },
  handler: async ({ body }, { upstream, asCaller }) => {
    const answer = await upstream.wallets.addWallet(body, asCaller);
    const { address, primary } = present(answer.wallet, 'the wallet');
    return { address, primary };
  },
});
