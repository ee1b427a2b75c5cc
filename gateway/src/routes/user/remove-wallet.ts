import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput, DONE, done } from '../../schemas/fields.ts';

export const removeWallet = defineRoute({
  operationId: 'removeWallet',
  method: 'delete',
  path: '/user/wallets/{address}',
  tag: 'User',
  summary: 'Remove a wallet',
  description:
    'Removes a wallet and ends its sessions immediately. The user is told by mail. The last wallet cannot be removed, nor can the primary one, unless another wallet is made the primary one first, nor the wallet that owns the Safe of the account, whose signature moves its money. During its cooling time a wallet can remove only itself. The session must be younger than five minutes; otherwise sign in again.',
  policy: 'user',
  params: z.object({ address: addressInput }),
  answers: { 200: done },
  errors: ['REAUTHENTICATION_REQUIRED', 'NOT_FOUND', 'LAST_WALLET', 'WALLET_IS_OWNER', 'WALLET_COOLING', 'USER_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) => {
    await upstream.wallets.removeWallet(params, asCaller);
    return DONE;
  },
});
