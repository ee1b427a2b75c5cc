import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { FindUsersRequest } from '@florin/proto/identity/v1/user_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { emailKeyOf, emailSchema } from '../domain/email.ts';
import { walletKeyOf } from '../domain/user.ts';
import { emailClaimKey } from '../store/claims.ts';
import type { Dependencies } from './dependencies.ts';
import { addressSchema } from './fields.ts';
import { toWireUser } from './to-wire.ts';

const requestSchema = z.object({
  key: z.discriminatedUnion('case', [
    z.object({ case: z.literal('email'), value: emailSchema }),
    z.object({ case: z.literal('wallet'), value: addressSchema }),
  ]),
});

/** @throws CodedError VALIDATION_FAILED */
export const findUsers = ({ users, emailClaims, walletClaims, partnerIds }: Dependencies) => {
  /** Addresses are unique per partner, and stored as hashes: each partner is asked. */
  const byEmail = (email: string): Promise<(string | undefined)[]> =>
    Promise.all(partnerIds.map((partnerId) => emailClaims.ownerOf(emailClaimKey({ partnerId, emailKey: emailKeyOf(email) }))));
  return serviceMethod(IDENTITY_SCOPES.readUsers, async (request: FindUsersRequest) => {
    const { key } = parseRequest(requestSchema, request);
    const owners = key.case === 'email' ? await byEmail(key.value) : [await walletClaims.ownerOf(walletKeyOf(key.value))];
    const ids = [...new Set(owners.filter((id) => id !== undefined))];
    const found = await Promise.all(ids.map((id) => users.find(id)));
    return { users: found.filter((user) => user !== undefined).map(toWireUser) };
  });
};
