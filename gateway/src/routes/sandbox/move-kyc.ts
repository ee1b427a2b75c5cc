import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { fromWord, toWord } from '../../schemas/fields.ts';
import { KYC_MOVES, KYC_STATUS, kycMove, kycStatus } from '../../schemas/kyc.ts';

export const moveKyc = defineRoute({
  operationId: 'sandboxMoveKyc',
  method: 'post',
  path: '/sandbox/kyc',
  tag: 'Sandbox',
  summary: 'Move the identity check',
  description: "Moves the caller's identity check to a status, as an event of the KYC provider does.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({ status: kycMove }),
  answers: { 200: z.object({ status: kycStatus }) },
  errors: ['KYC_STATE_CONFLICT', 'USER_NOT_FOUND'],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { status } = await upstream.sandbox.moveKyc({ status: fromWord(KYC_MOVES, body.status) }, asCaller);
    return { status: toWord(KYC_STATUS, status) };
  },
});
