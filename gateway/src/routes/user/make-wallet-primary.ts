import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput, present, signature } from '../../schemas/fields.ts';
import { toWallet, wallet } from '../../schemas/user.ts';

export const makeWalletPrimary = defineRoute({
  operationId: 'makeWalletPrimary',
  method: 'post',
  path: '/user/wallets/primary',
  tag: 'User',
  summary: 'Make a wallet the primary one',
  description:
    'Makes another wallet of the user the primary one, so that the previous one can be removed unless it owns the Safe of the account. The wallet itself signs the typed data of `POST /user/wallets/challenge` with the change `make_primary`. The session must be younger than five minutes; otherwise sign in again. The Safe on chain keeps its owner.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({ wallet: addressInput, approval: signature.meta({ description: 'Signature of the wallet over the typed data' }) }),
  answers: { 200: wallet },
  errors: ['REAUTHENTICATION_REQUIRED', 'INVALID_APPROVAL', 'WALLET_COOLING', 'NONCE_EXPIRED', 'NONCE_USED', 'NOT_FOUND', 'USER_NOT_FOUND'],
  // The caller's own token is valid; the nonce belongs to the approval.
  statusOf: { NONCE_EXPIRED: 400, NONCE_USED: 400 },
  handler: async ({ body }, { upstream, asCaller }) => {
    const answer = await upstream.wallets.makeWalletPrimary(body, asCaller);
    return toWallet(present(answer.wallet, 'wallet'));
  },
});
