import { NoticeKind, UserService } from '@florin/proto/identity/v1/user_service';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** Mails to users about changes of what protects their cards. */
export type NoticesClient = {
  /**
   * Has the user who owns the token mailed that a change is about to be made. It is called before the change, so that no change goes untold.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  tell: (
    notice: {
      id: string;
      kind: Exclude<keyof typeof NoticeKind, 'UNSPECIFIED'>;
      last4?: string;
      /** The verified number that is being replaced, which gets a text message. */
      formerPhone?: string;
    },
    call: { token: string; requestId: string },
  ) => Promise<void>;
};

export const createNoticesClient = (channel: RpcChannel): NoticesClient => {
  const client = channel.client(UserService);
  return {
    tell: async ({ id, kind, last4 = '', formerPhone = '' }, call) => {
      const request = { noticeId: id, kind: NoticeKind[kind], last4, formerPhone };
      await client.notifyCurrentUser(request, { ...onBehalfOf(call), timeoutMs: TIMEOUT_MS });
    },
  };
};
