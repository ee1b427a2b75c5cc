import { WalletChange } from '@florin/proto/identity/v1/wallet_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput, present } from '../../schemas/fields.ts';
import { toTypedMessage, typedDataQuery, typedMessage } from '../../schemas/typed-message.ts';

const CHANGE = { add: WalletChange.ADD, make_primary: WalletChange.MAKE_PRIMARY, remove: WalletChange.REMOVE } as const;

export const createWalletChallenge = defineRoute({
  operationId: 'createWalletChallenge',
  method: 'post',
  path: '/user/wallets/challenge',
  tag: 'User',
  summary: 'Create the approval of a wallet to sign',
  description:
    'Returns EIP-712 typed data that names the user, the wallet and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it; the signature is the `approval` of `POST /user/wallets`, `POST /user/wallets/primary` or `DELETE /user/wallets/{address}`. The newest twenty of a user can be used.',
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  body: z.object({
    wallet: addressInput,
    change: z.enum(['add', 'make_primary', 'remove']).default('add').meta({ description: 'What the signature will allow' }),
  }),
  answers: { 200: typedMessage },
  errors: ['USER_NOT_FOUND'],
  handler: async ({ query, body: { wallet, change } }, { upstream, asCaller }) => {
    const { typedData } = await upstream.wallets.createWalletChallenge({ wallet, change: CHANGE[change] }, asCaller);
    return toTypedMessage(present(typedData, 'typed data'), query.domainType === 'true');
  },
});
