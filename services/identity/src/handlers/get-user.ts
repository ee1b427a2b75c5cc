import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { GetUserRequest } from '@florin/proto/identity/v1/user_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Dependencies, requireUser } from './dependencies.ts';
import { toWireUser } from './to-wire.ts';

const requestSchema = z.object({ userId: uuidSchema });

/** @throws CodedError USER_NOT_FOUND, VALIDATION_FAILED */
export const getUser = ({ users }: Pick<Dependencies, 'users'>) =>
  serviceMethod(IDENTITY_SCOPES.readUsers, async (request: GetUserRequest) => {
    const { userId } = parseRequest(requestSchema, request);
    return { user: toWireUser(requireUser(await users.find(userId))) };
  });
