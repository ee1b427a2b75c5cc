import { NoticeKind, type NotifyCurrentUserRequest } from '@florin/proto/identity/v1/user_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { CARD_KINDS } from '../domain/notices.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({
  noticeId: uuidSchema,
  kind: z
    .enum(NoticeKind)
    .transform((kind) => CARD_KINDS[kind - 1])
    .refine((kind) => kind !== undefined, 'must be a kind of change'),
  last4: z.string().regex(/^(?:[0-9]{4})?$/, 'must be four digits'),
});

/** @throws CodedError VALIDATION_FAILED */
export const notifyCurrentUser = ({ users, notices, runtime }: Dependencies) =>
  userMethod(async (request: NotifyCurrentUserRequest, { caller }) => {
    const { noticeId: id, kind, last4 } = parseRequest(requestSchema, request);
    await users.addNotice(caller.userId, { id, kind, ...(last4 === '' ? {} : { last4 }), at: runtime.now() });
    notices.kick();
    return {};
  });
