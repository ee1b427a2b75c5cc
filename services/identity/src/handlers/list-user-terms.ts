import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ListUserTermsRequest } from '@florin/proto/identity/v1/terms_service';
import { userMethod } from '@florin/rpc/server';
import { termStates } from '../domain/terms.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireTerm } from './to-wire.ts';

export const listUserTerms = ({ terms, acceptances }: Pick<Dependencies, 'terms' | 'acceptances'>) =>
  userMethod(async (_request: ListUserTermsRequest, { caller }) => ({
    terms: termStates(terms, await acceptances.listOf(caller.userId)).map(({ term, accepted, last }) => ({
      term: toWireTerm(term),
      accepted,
      ...(last === undefined ? {} : { acceptedVersion: last.version, acceptedAt: timestampFromDate(last.acceptedAt) }),
    })),
  }));
