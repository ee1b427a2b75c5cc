import type { ConsumeAuthenticationRequest } from '@florin/proto/threeds/v1/authentication_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Uses an approval up for a request of a payment. */
export const consumeAuthentication = ({ challenges, consumptions, runtime }: Dependencies) =>
  serviceMethod(async ({ $typeName: _type, challengeId, amount, approvedBefore, ...rest }: ConsumeAuthenticationRequest) => {
    const presented = { ...rest, amount: BigInt(amount), approvedBefore: BigInt(approvedBefore || '0') };
    const challenge = await challenges.get(challengeId, runtime.now());
    if (!(await consumptions.consume(challenge.id, presented, runtime.now()))) {
      throw new CodedError('AUTHENTICATION_NOT_USABLE');
    }
    return {};
  });
