import type { NotifyCurrentUserRequest } from '@florin/proto/identity/v1/user_service';
import { stated } from '@florin/rpc/contract';
import { userMethod } from '@florin/rpc/server';
import { CARD_KINDS } from '../domain/notices.ts';
import type { Dependencies } from './dependencies.ts';

export const notifyCurrentUser = ({ users, notices, runtime }: Dependencies) =>
  userMethod(async (request: NotifyCurrentUserRequest, { caller }) => {
    const { noticeId: id, last4 } = request;
    const kind = stated(CARD_KINDS[request.kind - 1]);
    await users.addNotice(caller.userId, { id, kind, ...(last4 === '' ? {} : { last4 }), at: runtime.now() });
    notices.kick();
    return {};
  });
