import type { ListTermsRequest } from '@florin/proto/identity/v1/terms_service';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireTerm } from './to-wire.ts';

/** The same for everybody. */
export const listTerms = ({ terms }: Pick<Dependencies, 'terms'>) =>
  publicMethod(async (_request: ListTermsRequest) => ({ terms: terms.map(toWireTerm) }));
