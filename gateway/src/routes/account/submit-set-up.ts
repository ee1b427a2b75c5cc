import { z } from 'zod';
import { requireChain } from '../../clients/chain.ts';
import { defineRoute } from '../../http/define-route.ts';
import { present, signature } from '../../schemas/fields.ts';
import { deployment, toDeployment } from '../../schemas/safe.ts';

export const submitSetUp = defineRoute({
  operationId: 'submitSetUp',
  method: 'post',
  path: '/user/account/set-up',
  tag: 'User Account',
  summary: 'Set the Safe up',
  description:
    'Takes the signature over the typed data of `POST /user/account/set-up/challenge`, deploys the Safe and sets it up, in one transaction that the platform pays for. `deployment.status` of the account becomes `verified` once that is final. A repeat changes nothing.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({ signature }),
  answers: { 200: deployment },
  errors: ['ACCOUNT_NOT_FOUND', 'INVALID_SIGNATURE', 'SAFES_NOT_AVAILABLE', 'SET_UP_NOT_AVAILABLE'],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { safe } = await requireChain(upstream.safes).submitSetUp(body, asCaller);
    return toDeployment(present(safe, 'Safe'));
  },
});
