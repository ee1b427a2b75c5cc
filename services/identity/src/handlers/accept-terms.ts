import type { AcceptTermsRequest } from '@florin/proto/identity/v1/terms_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { isCurrent } from '../domain/terms.ts';
import type { Dependencies } from './dependencies.ts';
import { ipOf } from './fields.ts';

export const acceptTerms = ({ terms, acceptances, onboarding, runtime }: Dependencies) =>
  userMethod(async (request: AcceptTermsRequest, call) => {
    const { terms: accepted } = request;
    const ip = ipOf(request);
    const { userId } = call.caller;
    if (!accepted.every((version) => isCurrent(terms, version))) throw new CodedError('TERMS_VERSION_INVALID');
    const acceptedAt = runtime.now();
    await onboarding.advance(userId, call, async () => {
      for (const { type, version } of accepted) await acceptances.add({ userId, type, version, acceptedAt, ...(ip === '' ? {} : { ip }) });
    });
    return {};
  });
