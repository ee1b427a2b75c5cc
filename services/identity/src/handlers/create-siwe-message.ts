import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type CreateSiweMessageRequest, SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { isUriOfDomain, type SiwePurpose as Purpose } from '../domain/siwe-message.ts';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';

const PURPOSE: Readonly<Record<SiwePurpose, Purpose>> = {
  [SiwePurpose.UNSPECIFIED]: 'sign_in',
  [SiwePurpose.SIGN_IN]: 'sign_in',
  [SiwePurpose.ADD_WALLET]: 'add_wallet',
};

const requestSchema = z.object({
  address: addressSchema,
  // Lower case, as browsers write the origins that wallets compare the domain with.
  domain: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9.-]{1,253}(?::\d{1,5})?$/, 'must be a host, or a host and a port'),
  uri: z.string().min(1).max(2048),
  purpose: z.enum(SiwePurpose, 'must be SIGN_IN or ADD_WALLET').transform((purpose) => PURPOSE[purpose]),
});

/** @throws CodedError DOMAIN_NOT_ALLOWED, VALIDATION_FAILED */
export const createSiweMessage = ({ siweMessages, chainId, partnerOf }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.signIn, async (request: CreateSiweMessageRequest) => {
    const { address, domain, uri, purpose } = parseRequest(requestSchema, request);
    const partner = partnerOf(domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    if (!isUriOfDomain(uri, domain))
      throw new CodedError('VALIDATION_FAILED', { message: 'uri: must be an http or https URI on the domain' });

    const { message, expiresAt } = siweMessages.issue({ purpose, address, domain, uri, chainId, partnerName: partner.name });
    return { message, expiresAt: timestampFromDate(expiresAt) };
  });
