import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

/** The provider is asked within four seconds. */
const TIMEOUT_MS = 10_000;

export const createKycSession = defineRoute({
  operationId: 'createKycSession',
  method: 'post',
  path: '/kyc/session',
  tag: 'KYC',
  summary: "A page of the provider on which the caller's check goes on",
  description: 'A repeat answers the same page while that is valid.',
  policy: 'user',
  answers: { 200: z.object({ url: z.string(), expiresAt: dateTime }) },
  errors: ['USER_NOT_FOUND', 'KYC_STATE_CONFLICT', 'KYC_SESSION_FAILED'],
  handler: async (_input, { upstream, asCaller }) => {
    const { url, expiresAt } = await upstream.kyc.createKycSession({}, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return { url, expiresAt: toIso(expiresAt) };
  },
});
