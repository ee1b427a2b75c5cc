import { createOutsideAgent } from '@florin/rpc/outside';
import { request as send } from 'undici';
import { z } from 'zod';
import type { AuthorizationDecider } from './authorization-decider.ts';
import { webhookHeaders } from './sign-webhook.ts';

const MAX_RESPONSE_BYTES = 16 * 1024;

const verdictSchema = z.object({ result: z.enum(['approve', 'decline', 'suspected_fraud']) });

type DeciderOptions = { url: string; secret: Uint8Array; now: () => Date };

/**
 * Asks a decider over HTTP: `POST` with the request as JSON and the headers `webhook-id` (`<payment id>_<event id>`), `webhook-timestamp` and
 * `webhook-signature` of Standard Webhooks. The response is `{"result": "approve" | "decline" | "suspected_fraud"}` with status 200.
 */
export const createHttpAuthorizationDecider = ({
  url,
  secret,
  now,
}: DeciderOptions): AuthorizationDecider & { close: () => Promise<void> } => {
  const dispatcher = createOutsideAgent({ connections: 64, maxResponseSize: MAX_RESPONSE_BYTES });
  return {
    decide: async (request, timeoutMs) => {
      const body = JSON.stringify(request);
      const response = await send(url, {
        method: 'POST',
        dispatcher,
        headers: webhookHeaders([secret], { id: `${request.paymentId}_${request.eventId}`, at: now(), body }),
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`the decider returned status ${response.statusCode}`);
      return verdictSchema.parse(JSON.parse(text)).result;
    },
    close: () => dispatcher.close(),
  };
};
