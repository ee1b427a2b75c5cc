import type { JsonHttp } from '@florin/rpc/json-http';
import type { SmsSender } from './sms-sender.ts';

/** Sends text messages through a provider that accepts `POST {to, text}`. */
export const createHttpSmsSender = (http: JsonHttp): SmsSender => ({
  send: async ({ to, text }) => {
    await http.post('', { to, text });
  },
});
