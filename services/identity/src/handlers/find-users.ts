import type { FindUsersRequest } from '@florin/proto/identity/v1/user_service';
import { serviceMethod } from '@florin/rpc/server';
import { emailKeyOf } from '../domain/email.ts';
import { walletKeyOf } from '../domain/user.ts';
import { emailClaimKey } from '../store/claims.ts';
import type { Dependencies } from './dependencies.ts';
import { readEmail } from './fields.ts';
import { toWireUser } from './to-wire.ts';

/** @throws CodedError VALIDATION_FAILED */
export const findUsers = ({ users, emailClaims, walletClaims, partnerIds }: Dependencies) => {
  /** Addresses are unique per partner, and stored as hashes: each partner is asked. */
  const byEmail = (email: string): Promise<(string | undefined)[]> =>
    Promise.all(partnerIds.map((partnerId) => emailClaims.ownerOf(emailClaimKey({ partnerId, emailKey: emailKeyOf(email) }))));
  return serviceMethod(async (request: FindUsersRequest) => {
    const { case: by, value = '' } = request.key;
    const owners = by === 'email' ? await byEmail(readEmail(value)) : [await walletClaims.ownerOf(walletKeyOf(value))];
    const ids = [...new Set(owners.filter((id) => id !== undefined))];
    const found = await Promise.all(ids.map((id) => users.find(id)));
    return { users: found.filter((user) => user !== undefined).map(toWireUser) };
  });
};
