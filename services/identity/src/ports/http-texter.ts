import type { JsonHttp } from '@florin/rpc/json-http';
import type { Texter } from './texter.ts';

/** Sends text messages through a provider that takes `{to, text}`. */
export const createHttpTexter = (http: JsonHttp): Texter => ({
  send: async ({ to, text }) => {
    await http.post('', { to, text });
  },
});
