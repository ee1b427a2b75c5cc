import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, id, toIso, toWord } from '../../schemas/fields.ts';
import { KYC_STATUS, kycStatus } from '../../schemas/kyc.ts';

export const getKyc = defineRoute({
  operationId: 'getKyc',
  method: 'get',
  path: '/kyc',
  tag: 'KYC',
  summary: 'Get the identity check',
  description: "Returns the status of the caller's identity check.",
  policy: 'user',
  answers: { 200: z.object({ status: kycStatus, profileId: id, changedAt: dateTime.optional() }) },
  errors: ['USER_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const { status, profileId, changedAt } = await upstream.kyc.getKyc({}, asCaller);
    return { status: toWord(KYC_STATUS, status), profileId, ...(changedAt === undefined ? {} : { changedAt: toIso(changedAt) }) };
  },
});
