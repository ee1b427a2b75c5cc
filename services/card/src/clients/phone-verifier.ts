import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { type RpcChannel, withinRequest } from '@florin/rpc/client';

const TIMEOUT_MS = 2000;

/** Identity's phone verification codes. */
export type PhoneVerifierClient = {
  /**
   * Consumes a code and returns the phone number (E.164) that it proves. A repeat with the same `verificationId` returns the same number.
   * @throws CodedError INVALID_CODE, CODE_EXPIRED, CODE_ATTEMPTS_EXCEEDED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  verifyCode: (input: { userId: string; code: string; verificationId: string }, call: { requestId: string }) => Promise<string>;
};

export const createPhoneVerifierClient = (channel: RpcChannel): PhoneVerifierClient => {
  const client = channel.client(VerificationService);
  return {
    verifyCode: async (input, call) => {
      const response = client.verifyPhoneCode(input, { ...withinRequest(call), timeoutMs: TIMEOUT_MS });
      return (await response).phone;
    },
  };
};
