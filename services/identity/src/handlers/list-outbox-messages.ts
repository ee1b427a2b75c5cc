import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type ListOutboxMessagesRequest, OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ to: z.string().min(1).max(320) });

/** @throws CodedError VALIDATION_FAILED */
export const listOutboxMessages = ({ outbox }: Required<Pick<Dependencies, 'outbox'>>) =>
  serviceMethod(IDENTITY_SCOPES.readOutbox, async (request: ListOutboxMessagesRequest) => {
    const { to } = parseRequest(requestSchema, request);
    const messages = await outbox.list(to);
    return {
      messages: messages.map(({ channel, sentAt, ...message }) => ({
        ...message,
        channel: channel === 'email' ? OutboxChannel.EMAIL : OutboxChannel.SMS,
        sentAt: timestampFromDate(sentAt),
      })),
    };
  });
