import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, dateTime, done, id, toIso } from '../../schemas/fields.ts';
import { kycMove, kycStatus, toKycStatus } from '../../schemas/kyc.ts';
import { opaque } from '../../schemas/text.ts';

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
    return { status: toKycStatus(status), profileId, ...(changedAt === undefined ? {} : { changedAt: toIso(changedAt) }) };
  },
});

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

export const receiveKycEvent = defineRoute({
  operationId: 'receiveKycEvent',
  method: 'post',
  path: '/webhooks/kyc',
  tag: 'KYC',
  summary: 'Receive a KYC event',
  description:
    'Receives a signed event of the KYC provider. The response is 200 even if the event changes nothing, because it was already processed or is older than the current state. On any other status, deliver the event again.',
  policy: 'public',
  webhook: { signatureHeader: 'Florin-Signature' },
  body: z.object({
    id: opaque(128),
    profileId: id,
    sequence: z.int().min(1).meta({ description: 'Sequence number; increases with every event of a profile' }),
    status: kycMove,
  }),
  answers: { 200: done },
  errors: ['INVALID_SIGNATURE', 'KYC_PROFILE_NOT_FOUND'],
  // On this operation the signature is the caller's credential.
  statusOf: { INVALID_SIGNATURE: 401 },
  handler: async (_input, { upstream, asGateway, delivery }) => {
    await asGateway((options) => upstream.kyc.receiveEvent(delivery, options));
    return DONE;
  },
});
