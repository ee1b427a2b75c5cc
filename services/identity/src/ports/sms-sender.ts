import type { JsonHttp } from '@florin/rpc/json-http';
import type { SandboxOutbox } from './sandbox-outbox.ts';

/** A text message with a code in it. */
export type TextMessage = {
  /** E.164. */
  to: string;
  text: string;
  code: string;
};

/** Submits text messages. Rejects when a message was not accepted. The text of the rejection is for logs. */
export type SmsSender = { send: (message: TextMessage) => Promise<void> };

/** Sends text messages through a provider that accepts `POST {to, text}`. */
export const createHttpSmsSender = (http: JsonHttp): SmsSender => ({
  send: async ({ to, text }) => {
    await http.post('', { to, text });
  },
});

/** Keeps text messages in the outbox of a sandbox. */
export const createSandboxSmsSender = (outbox: SandboxOutbox): SmsSender => ({
  send: ({ to, text, code }) => outbox.keep({ channel: 'sms', to, text, code }),
});
