import type { ListTermsRequest } from '@florin/proto/identity/v1/terms_service';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireTerm } from './to-wire.ts';

/** Public: the documents are the same for every caller. */
export const listTerms = ({ terms }: Dependencies) =>
  publicMethod(async (_request: ListTermsRequest) => ({ terms: terms.map(toWireTerm) }));
