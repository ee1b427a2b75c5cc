import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { NoticeKind, UserService } from '@florin/proto/identity/v1/user_service';
import { onBehalfOf, type RpcChannel, undefinedOn } from '@florin/rpc/client';

export const ADDRESS_SCOPES = [IDENTITY_SCOPES.readUsers] as const;

/** Returns a user's e-mail address; undefined without such a user. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export type FindAddress = (userId: string) => Promise<string | undefined>;

export const createFindAddress = (identity: RpcChannel): FindAddress => {
  const users = identity.client(UserService);
  return async (userId) => {
    const found = await undefinedOn('USER_NOT_FOUND', users.getUser({ userId }));
    const email = found?.user?.email;
    return email === '' ? undefined : email;
  };
};

/** Creates a function that has the user of a token mailed that a browser is being registered. */
export const createTellOfDevice = (identity: RpcChannel, newId: () => string) => {
  const users = identity.client(UserService);
  return async (call: { token: string; requestId: string }): Promise<void> => {
    await users.notifyCurrentUser({ noticeId: newId(), kind: NoticeKind.DEVICE_ADDING, last4: '' }, onBehalfOf(call));
  };
};
