import type { GetCurrentUserRequest } from '@florin/proto/identity/v1/user_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { toWireUser } from './to-wire.ts';

export const getCurrentUser = ({ users }: Dependencies) =>
  userMethod(async (_request: GetCurrentUserRequest, { caller }) => {
    return { user: toWireUser(requireUser(await users.find(caller.userId))) };
  });
