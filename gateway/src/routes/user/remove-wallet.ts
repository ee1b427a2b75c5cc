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
    'Removes a wallet and ends its sessions immediately. The last wallet cannot be removed, nor can the wallet that registered the user, because it owns the Safe of the account.',
  policy: 'user',
  params: z.object({ address: addressInput }),
  answers: { 200: done },
  errors: ['NOT_FOUND', 'LAST_WALLET', 'WALLET_IS_OWNER', 'USER_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) => {
    await upstream.wallets.removeWallet(params, asCaller);
    return DONE;
  },
});
