import type { GetUserRequest } from '@florin/proto/identity/v1/user_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { toWireUser } from './to-wire.ts';

export const getUser = ({ users }: Dependencies) =>
  serviceMethod(async (request: GetUserRequest) => {
    const { userId } = request;
    return { user: toWireUser(requireUser(await users.find(userId))) };
  });
