import type { ReceiveEventRequest } from '@florin/proto/identity/v1/kyc_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { isGenuineDelivery } from '../domain/delivery-signature.ts';
import { kycEventSchema } from '../domain/kyc.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_BODY_BYTES = 64 * 1024;

const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new CodedError('VALIDATION_FAILED', { message: 'body: must be JSON' });
  }
};

type Parts = Pick<Dependencies, 'receiveKycEvent' | 'kycWebhookSecret' | 'runtime'>;

/**
 * Nothing of a delivery is read before its signature is found good.
 * @throws CodedError INVALID_SIGNATURE, KYC_PROFILE_NOT_FOUND, VALIDATION_FAILED
 */
export const receiveEvent = ({ receiveKycEvent, kycWebhookSecret, runtime }: Parts) =>
  serviceMethod(IDENTITY_SCOPES.writeKyc, async ({ body, signature }: ReceiveEventRequest, call) => {
    const isGenuine =
      kycWebhookSecret !== undefined &&
      body.length <= MAX_BODY_BYTES &&
      isGenuineDelivery({ body, header: signature }, kycWebhookSecret, runtime.now());
    if (!isGenuine) throw new CodedError('INVALID_SIGNATURE');
    return { applied: await receiveKycEvent(parseRequest(kycEventSchema, parseJson(body)), call) };
  });
