import { CodedError } from '@florin/rpc/errors';
import type { User } from '../domain/user.ts';

/** @throws CodedError USER_NOT_FOUND */
export const requireUser = (user: User | undefined): User => {
  if (user === undefined) throw new CodedError('USER_NOT_FOUND');
  return user;
};
