import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ListOutboxMessagesRequest,
  type MoveKycRequest,
  OutboxChannel,
  SandboxService,
} from '@florin/proto/identity/v1/sandbox_service';
import { stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod, userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { admitPartner } from './partner-clients.ts';
import { KYC_STATUSES } from './to-wire.ts';

const listOutboxMessages = ({ outbox }: Dependencies) =>
  serviceMethod(async (request: ListOutboxMessagesRequest) => {
    const { to } = request;
    const messages = await outbox.list(to);
    return {
      messages: messages.map(({ channel, sentAt, ...message }) => ({
        ...message,
        channel: channel === 'email' ? OutboxChannel.EMAIL : OutboxChannel.SMS,
        sentAt: timestampFromDate(sentAt),
      })),
    };
  });

/** Applies an event as the provider sends it. @throws CodedError KYC_STATE_CONFLICT, USER_NOT_FOUND, VALIDATION_FAILED */
const moveKyc = ({ kycStandings, receiveKycEvent, runtime }: Dependencies) => {
  const standingOf = async (userId: string) => {
    const standing = await kycStandings.find(userId);
    if (standing === undefined) throw new CodedError('USER_NOT_FOUND');
    return standing;
  };
  return userMethod(async (request: MoveKycRequest, call) => {
    const state = stated(KYC_STATUSES.toWord(request.status));
    const { profileId, sequence } = await standingOf(call.caller.userId);
    await receiveKycEvent({ id: runtime.newId(), profileId, sequence: sequence + 1, state }, call);
    if ((await standingOf(call.caller.userId)).state !== state) throw new CodedError('KYC_STATE_CONFLICT');
    return { status: KYC_STATUSES.toValue(state) };
  });
};

/** Implementation of the contract `SandboxService`. */
export const sandboxService = (dependencies: Dependencies): ServiceImplementation =>
  implement(SandboxService, {
    listOutboxMessages: listOutboxMessages(dependencies),
    moveKyc: moveKyc(dependencies),
    admitPartner: admitPartner(dependencies),
  });
