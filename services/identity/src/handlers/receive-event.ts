import type { ReceiveEventRequest } from '@florin/proto/identity/v1/kyc_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { describeIssue } from '@florin/rpc/validation';
import { isGenuineDelivery } from '../domain/delivery-signature.ts';
import { type KycEvent, kycEventSchema } from '../domain/kyc.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Reads the event in a delivery. @throws CodedError VALIDATION_FAILED */
const readEvent = (body: unknown): KycEvent => {
  const read = kycEventSchema.safeParse(body, { error: describeIssue });
  if (read.success) return read.data;
  requireFields(Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.') || 'body', message])));
  throw read.error;
};

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new CodedError('VALIDATION_FAILED', { message: 'body: must be JSON' });
  }
};

/** Verifies the signature of a delivery before reading its body. */
export const receiveEvent = ({ receiveKycEvent, kycWebhookSecret, runtime }: Dependencies) =>
  serviceMethod(async ({ body, signature }: ReceiveEventRequest, call) => {
    const isGenuine =
      kycWebhookSecret !== undefined &&
      body.length <= MAX_BODY_BYTES &&
      isGenuineDelivery({ body, header: signature }, kycWebhookSecret, runtime.now());
    if (!isGenuine) throw new CodedError('INVALID_SIGNATURE');
    return { applied: await receiveKycEvent(readEvent(parseJson(body)), call) };
  });
