import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

/** The call to the provider has a deadline of four seconds. */
const TIMEOUT_MS = 10_000;

export const createKycSession = defineRoute({
  operationId: 'createKycSession',
  method: 'post',
  path: '/kyc/session',
  tag: 'KYC',
  summary: 'Start or continue the identity check',
  description:
    'Returns a page of the KYC provider where the caller completes the identity check. While the page is valid, a repeat returns the same page.',
  policy: 'user',
  answers: { 200: z.object({ url: z.string(), expiresAt: dateTime }) },
  errors: ['USER_NOT_FOUND', 'KYC_STATE_CONFLICT', 'KYC_SESSION_FAILED'],
  handler: async (_input, { upstream, asCaller }) => {
    const { url, expiresAt } = await upstream.kyc.createKycSession({}, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return { url, expiresAt: toIso(expiresAt) };
  },
});
