import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type CreateSiweMessageRequest, SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { isUriOfDomain, type SiwePurpose as Purpose } from '../domain/siwe-message.ts';
import type { Dependencies } from './dependencies.ts';

const PURPOSE: Readonly<Record<SiwePurpose, Purpose>> = {
  [SiwePurpose.UNSPECIFIED]: 'sign_in',
  [SiwePurpose.SIGN_IN]: 'sign_in',
  [SiwePurpose.ADD_WALLET]: 'add_wallet',
};

export const createSiweMessage = ({ siweMessages, chainId, partnerOf }: Dependencies) =>
  serviceMethod(async (request: CreateSiweMessageRequest) => {
    const { address, uri } = request;
    // Lower case, as browsers write the origins that wallets compare the domain with.
    const domain = request.domain.toLowerCase();
    const partner = partnerOf(domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    if (!isUriOfDomain(uri, domain))
      throw new CodedError('VALIDATION_FAILED', { message: 'uri: must be an http or https URI on the domain' });

    const { message, expiresAt } = siweMessages.issue({
      purpose: PURPOSE[request.purpose] ?? 'sign_in',
      address,
      domain,
      uri,
      chainId,
      partnerName: partner.name,
    });
    return { message, expiresAt: timestampFromDate(expiresAt) };
  });
