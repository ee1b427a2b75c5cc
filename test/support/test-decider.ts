import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** How the decider answers: with a verdict, with something else, or not at all. */
export type DeciderMode = 'approve' | 'decline' | 'suspected_fraud' | 'rubbish' | 'fault' | 'silent';

/** An external decider of authorizations that accepts signed questions only. */
export const startTestDecider = async () => {
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  const webhook = new Webhook(secret);
  const questions: Record<string, unknown>[] = [];
  const ids: unknown[] = [];
  const state: { mode: DeciderMode; forged: number } = { mode: 'approve', forged: 0 };

  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await text(request);
      try {
        questions.push(webhook.verify(body, request.headers as Record<string, string>) as Record<string, unknown>);
        ids.push(request.headers['webhook-id']);
      } catch {
        state.forged += 1;
        return void response.writeHead(401).end();
      }
      if (state.mode === 'silent') return;
      if (state.mode === 'fault') return void response.writeHead(500).end('{"result":"approve"}');
      const result = state.mode === 'rubbish' ? 'perhaps' : state.mode;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result }));
    };
    answer().catch(() => response.destroy());
  });
  // The server ends no idle connection: a question that meets its end has no answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/decide`,
    secret,
    questions,
    /** Ids of the messages with the questions. */
    ids,
    state,
    close: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
