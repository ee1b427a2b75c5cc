import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CreateSiweMessageRequest } from '@florin/proto/identity/v1/auth_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { isUriOfDomain, siweFingerprint, writeSiweMessage } from '../domain/siwe-message.ts';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';

/** In hex digits twice as many: 128 bits, more than the eight characters that EIP-4361 asks for. */
const NONCE_BYTES = 16;

const requestSchema = z.object({
  address: addressSchema,
  // Lower case, as browsers write the origins that wallets compare it with.
  domain: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9.-]{1,253}(?::\d{1,5})?$/, 'must be a host, or a host and a port'),
  uri: z.string().min(1).max(2048),
});

type Parts = Pick<Dependencies, 'nonces' | 'runtime' | 'chainId' | 'partnerOf'>;

/** @throws CodedError DOMAIN_NOT_ALLOWED, VALIDATION_FAILED */
export const createSiweMessage = ({ nonces, runtime, chainId, partnerOf }: Parts) =>
  serviceMethod(IDENTITY_SCOPES.signIn, async (request: CreateSiweMessageRequest) => {
    const { address, domain, uri } = parseRequest(requestSchema, request);
    const partner = partnerOf(domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    if (!isUriOfDomain(uri, domain))
      throw new CodedError('VALIDATION_FAILED', { message: 'uri: must be an http or https URI on the domain' });

    const nonce = Buffer.from(runtime.randomBytes(NONCE_BYTES)).toString('hex');
    const issuedAt = runtime.now();
    const { message, expiresAt } = writeSiweMessage({ address, domain, uri, chainId, nonce, partnerName: partner.name, issuedAt });
    await nonces.issue(nonce, siweFingerprint(message), expiresAt);
    return { message, expiresAt: timestampFromDate(expiresAt) };
  });
