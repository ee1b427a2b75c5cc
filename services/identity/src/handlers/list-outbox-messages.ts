import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type ListOutboxMessagesRequest, OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const listOutboxMessages = ({ outbox }: Dependencies) =>
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
