import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { onlyKnownCodes, type RpcChannel, withinRequest } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** Port to identity's phone codes. */
export type PhoneVerifier = {
  /**
   * Consumes a code and answers the number in E.164 that it proves. The same `verificationId` again answers the same.
   * @throws CodedError INVALID_CODE, CODE_EXPIRED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  verifyCode: (input: { userId: string; code: string; verificationId: string }, call: { requestId: string }) => Promise<string>;
};

export const createPhoneVerifier = (channel: RpcChannel): PhoneVerifier => {
  const client = channel.client(VerificationService);
  return {
    verifyCode: async (input, call) => {
      const answer = client.verifyPhoneCode(input, { ...withinRequest(call), timeoutMs: TIMEOUT_MS });
      return (await onlyKnownCodes(answer, ['INVALID_CODE', 'CODE_EXPIRED'])).phone;
    },
  };
};
