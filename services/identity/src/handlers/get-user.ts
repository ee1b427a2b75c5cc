import { CodedError } from '@florin/kit/errors';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { GetUserRequest } from '@florin/proto/identity/v1/user_service';
import { z } from 'zod';
import type { UserStore } from '../store/users.ts';
import { toUserMessage } from './user-message.ts';

const requestSchema = z.object({ userId: z.uuid() });

/** @throws CodedError USER_NOT_FOUND, VALIDATION_FAILED */
export const getUser = (users: UserStore) =>
  serviceMethod('identity.users.read', async (request: GetUserRequest) => {
    const { userId } = parseRequest(requestSchema, request);
    const user = await users.find(userId);
    if (user === undefined) throw new CodedError('USER_NOT_FOUND');
    return { user: toUserMessage(user) };
  });
