import type { AcceptTermsRequest } from '@florin/proto/identity/v1/terms_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { isCurrent } from '../domain/terms.ts';
import type { Dependencies } from './dependencies.ts';
import { ipField } from './fields.ts';

const name = z.string().min(1).max(40);

const requestSchema = z.object({
  terms: z
    .array(z.object({ type: name, version: name }))
    .min(1)
    .max(20),
  ip: ipField,
});

type Parts = Pick<Dependencies, 'terms' | 'acceptances' | 'onboarding' | 'runtime'>;

/** @throws CodedError TERMS_VERSION_INVALID, VALIDATION_FAILED */
export const acceptTerms = ({ terms, acceptances, onboarding, runtime }: Parts) =>
  userMethod(async (request: AcceptTermsRequest, call) => {
    const { terms: accepted, ip } = parseRequest(requestSchema, request);
    const { userId } = call.caller;
    if (!accepted.every((version) => isCurrent(terms, version))) throw new CodedError('TERMS_VERSION_INVALID');
    const acceptedAt = runtime.now();
    await onboarding.advance(userId, call, async () => {
      for (const { type, version } of accepted) await acceptances.add({ userId, type, version, acceptedAt, ...(ip === '' ? {} : { ip }) });
    });
    return {};
  });
