import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type AcceptTermsRequest,
  type ListTermsRequest,
  type ListUserTermsRequest,
  TermsService,
} from '@florin/proto/identity/v1/terms_service';
import { CodedError } from '@florin/rpc/errors';
import { implement, publicMethod, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import { isCurrent, termStates } from '../domain/terms.ts';
import type { Dependencies } from './dependencies.ts';
import { ipOf } from './fields.ts';
import { toWireTerm } from './to-wire.ts';

/** Public: the documents are the same for every caller. */
const listTerms = ({ terms }: Dependencies) => publicMethod(async (_request: ListTermsRequest) => ({ terms: terms.map(toWireTerm) }));

const listUserTerms = ({ terms, acceptances }: Dependencies) =>
  userMethod(async (_request: ListUserTermsRequest, { caller }) => ({
    terms: termStates(terms, await acceptances.listOf(caller.userId)).map(({ term, accepted, last }) => ({
      term: toWireTerm(term),
      accepted,
      ...(last === undefined ? {} : { acceptedVersion: last.version, acceptedAt: timestampFromDate(last.acceptedAt) }),
    })),
  }));

const acceptTerms = ({ terms, acceptances, onboarding, runtime }: Dependencies) =>
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

/** Implementation of the contract `TermsService`. */
export const termsService = (dependencies: Dependencies): ServiceImplementation =>
  implement(TermsService, {
    listTerms: listTerms(dependencies),
    listUserTerms: listUserTerms(dependencies),
    acceptTerms: acceptTerms(dependencies),
  });
