import type { MoveKycRequest } from '@florin/proto/identity/v1/sandbox_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { KycState } from '../domain/kyc.ts';
import type { Dependencies } from './dependencies.ts';
import { KYC_STATUS } from './to-wire.ts';

const stateOf = (value: number): KycState | undefined =>
  (Object.keys(KYC_STATUS) as KycState[]).find((state) => KYC_STATUS[state] === value);

const requestSchema = z.object({
  status: z
    .int()
    .transform(stateOf)
    .refine((state) => state !== undefined && state !== 'NOT_STARTED', 'must be a state that a check can get into'),
});

type Parts = Pick<Dependencies, 'kycStandings' | 'receiveKycEvent' | 'runtime'>;

/** Says what the provider's next event would say. @throws CodedError KYC_STATE_CONFLICT, USER_NOT_FOUND, VALIDATION_FAILED */
export const moveKyc = ({ kycStandings, receiveKycEvent, runtime }: Parts) => {
  const standingOf = async (userId: string) => {
    const standing = await kycStandings.find(userId);
    if (standing === undefined) throw new CodedError('USER_NOT_FOUND');
    return standing;
  };
  return userMethod(async (request: MoveKycRequest, call) => {
    const state = parseRequest(requestSchema, request).status as KycState;
    const { profileId, sequence } = await standingOf(call.caller.userId);
    await receiveKycEvent({ id: runtime.newId(), profileId, sequence: sequence + 1, state }, call);
    if ((await standingOf(call.caller.userId)).state !== state) throw new CodedError('KYC_STATE_CONFLICT');
    return { status: KYC_STATUS[state] };
  });
};
