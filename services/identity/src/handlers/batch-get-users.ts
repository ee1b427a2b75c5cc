import type { BatchGetUsersRequest } from '@florin/proto/identity/v1/user_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireUser } from './to-wire.ts';

export const batchGetUsers = ({ users }: Dependencies) =>
  serviceMethod(async ({ userIds }: BatchGetUsersRequest) => {
    const found = await Promise.all([...new Set(userIds)].map((id) => users.find(id)));
    return { users: found.filter((user) => user !== undefined).map(toWireUser) };
  });
