import type { GetCurrentUserRequest } from '@florin/proto/identity/v1/user_service';
import { userMethod } from '@florin/rpc/server';
import { type Dependencies, requireUser } from './dependencies.ts';
import { toWireUser } from './to-wire.ts';

/** @throws CodedError USER_NOT_FOUND */
export const getCurrentUser = ({ users }: Pick<Dependencies, 'users'>) =>
  userMethod(async (_request: GetCurrentUserRequest, { caller }) => {
    return { user: toWireUser(requireUser(await users.find(caller.userId))) };
  });
