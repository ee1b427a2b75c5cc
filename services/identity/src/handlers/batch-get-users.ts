import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { BatchGetUsersRequest } from '@florin/proto/identity/v1/user_service';
import { batchIdsSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireUser } from './to-wire.ts';

const requestSchema = z.object({ userIds: batchIdsSchema });

/** @throws CodedError VALIDATION_FAILED */
export const batchGetUsers = ({ users }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readUsers, async (request: BatchGetUsersRequest) => {
    const { userIds } = parseRequest(requestSchema, request);
    const found = await Promise.all(userIds.map((id) => users.find(id)));
    return { users: found.filter((user) => user !== undefined).map(toWireUser) };
  });
