import { defineRoute } from '../../http/define-route.ts';
import { present, signature } from '../../schemas/fields.ts';
import { signedMessage } from '../../schemas/signed-message.ts';
import { toWallet, wallet } from '../../schemas/user.ts';

export const addWallet = defineRoute({
  operationId: 'addWallet',
  method: 'post',
  path: '/user/wallets',
  tag: 'User',
  summary: 'Add a wallet',
  description:
    'Adds a wallet that may sign in. The new wallet signs a message that `GET /auth/siwe/{address}?purpose=add_wallet` created for its address, and a wallet of the user whose cooling time is over signs the typed data of `POST /user/wallets/challenge`. The new wallet can sign in immediately, and approve payments from `approvesFrom` on. The user is told by mail. The session must be younger than five minutes; otherwise sign in again. A user can have ten wallets.',
  policy: 'user',
  rateLimit: 'auth',
  body: signedMessage.extend({ approval: signature.meta({ description: 'Signature of an existing wallet over the typed data' }) }),
  answers: { 200: wallet },
  errors: [
    'REAUTHENTICATION_REQUIRED',
    'INVALID_SIGNATURE',
    'INVALID_APPROVAL',
    'WALLET_COOLING',
    'NONCE_EXPIRED',
    'NONCE_USED',
    'DOMAIN_NOT_ALLOWED',
    'WALLET_IN_USE',
    'WALLET_LIMIT_REACHED',
    'USER_NOT_FOUND',
  ],
  // The caller's own token is valid; the nonce belongs to the submitted message.
  statusOf: { NONCE_EXPIRED: 400, NONCE_USED: 400 },
  handler: async ({ body }, { upstream, asCaller }) => {
    const answer = await upstream.wallets.addWallet(body, asCaller);
    return toWallet(present(answer.wallet, 'wallet'));
  },
});
