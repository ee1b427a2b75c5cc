import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { APPROVAL_ERRORS, APPROVAL_STATUS, approvalQuery } from '../../schemas/approval.ts';
import { addressInput, DONE, done } from '../../schemas/fields.ts';

export const removeWallet = defineRoute({
  operationId: 'removeWallet',
  method: 'delete',
  path: '/user/wallets/{address}',
  tag: 'User',
  summary: 'Remove a wallet',
  description:
    'Removes a wallet and ends its sessions immediately. The user is told by mail. The last wallet cannot be removed, nor can the primary one, unless another wallet is made the primary one first, nor the wallet that owns the Safe of the account, whose signature moves its money. During its cooling time a wallet can remove only itself. The session must be younger than five minutes; otherwise sign in again. A wallet of the user, the one to be removed included, signs the typed data of `POST /user/wallets/challenge` with the change `remove`.',
  policy: 'user',
  params: z.object({ address: addressInput }),
  query: approvalQuery,
  answers: { 200: done },
  errors: [...APPROVAL_ERRORS, 'NOT_FOUND', 'LAST_WALLET', 'WALLET_IS_OWNER', 'USER_NOT_FOUND'],
  statusOf: APPROVAL_STATUS,
  handler: async ({ params: { address }, query: { approval = '' } }, { upstream, asCaller }) => {
    await upstream.wallets.removeWallet({ address, approval }, asCaller);
    return DONE;
  },
});
