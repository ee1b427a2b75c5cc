import { createOutsideAgent } from '@florin/rpc/outside';
import { request as send } from 'undici';
import { z } from 'zod';
import type { CardNumbersClient } from '../clients/card-numbers.ts';
import { type CardExpiry, firstExpiry, nextExpiry } from '../domain/card-term.ts';
import type { CardProcessor, CardState, DisputeState } from './card-processor.ts';
import { webhookHeaders } from './sign-webhook.ts';

const MAX_RESPONSE_BYTES = 16 * 1024;

const outcomeSchema = z.object({ outcome: z.enum(['accepted', 'refused']) });
type Outcome = z.output<typeof outcomeSchema>['outcome'];

type Message =
  | { type: 'card.issue'; data: object }
  | { type: 'card.renew'; data: object }
  | { type: 'card.details'; data: object }
  | { type: 'card.state'; data: CardState }
  | { type: 'payment.dispute'; data: DisputeState };

type HttpProcessorOptions = {
  url: string;
  secrets: readonly Uint8Array[];
  numbers: CardNumbersClient;
  now: () => Date;
};

const monthOf = ({ expMonth, expYear }: CardExpiry): string => `${expYear}-${String(expMonth).padStart(2, '0')}`;

/**
 * Issues cards through a bridge to a processor: every message is one `POST` to the bridge's URL, signed by Standard Webhooks, whose body is
 * `{type, timestamp, data}`. docs/processor.md is the contract. The numbers come from the vault, which encrypts them to the processor's key;
 * neither this service nor the bridge's transport sees them.
 */
export const createHttpCardProcessor = (options: HttpProcessorOptions): CardProcessor & { close: () => Promise<void> } => {
  const { url, secrets, numbers, now } = options;
  const dispatcher = createOutsideAgent({ connections: 16, maxResponseSize: MAX_RESPONSE_BYTES });

  /**
   * @param id the same for every repeat of a message
   * @throws Error on every response but status 200 with an outcome: the outcome is then unknown
   */
  const tell = async (id: string, message: Message, signal: AbortSignal): Promise<Outcome> => {
    const at = now();
    const body = JSON.stringify({ type: message.type, timestamp: at.toISOString(), data: message.data });
    const headers = webhookHeaders(secrets, { id, at, body });
    const response = await send(url, { method: 'POST', dispatcher, headers, body, signal });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`the processor's bridge returned status ${response.statusCode}`);
    // The error of a parser would quote the response.
    const parsed = outcomeSchema.safeParse(safeJson(text));
    if (!parsed.success) throw new Error("the processor's bridge returned no outcome");
    return parsed.data.outcome;
  };

  /** @throws Error unless the bridge accepts the message */
  const mustAccept = async (id: string, message: Message, signal: AbortSignal): Promise<void> => {
    if ((await tell(id, message, signal)) !== 'accepted') throw new Error(`the processor's bridge refused ${message.type}`);
  };

  return {
    issueCard: async ({ requestedAt, userId, ...order }, signal) => {
      const { cardId } = order;
      const face = await numbers.issue({ cardId, userId, ...firstExpiry(requestedAt) }, signal);
      const details = await numbers.seal(cardId, signal);
      const data = { ...order, userId, requestedAt, ...face, details };
      const outcome = await tell(`issue_${cardId}`, { type: 'card.issue', data }, signal);
      return outcome === 'accepted' ? { outcome: 'issued', face } : { outcome: 'refused' };
    },

    renewCard: async ({ cardId, ...current }, signal) => {
      const next = nextExpiry(current);
      const data = { cardId, ...next, current };
      const outcome = await tell(`renew_${cardId}_${monthOf(next)}`, { type: 'card.renew', data }, signal);
      if (outcome === 'refused') return { outcome: 'refused' };
      await numbers.renew({ cardId, ...next }, signal);
      const details = await numbers.seal(cardId, signal);
      await mustAccept(`details_${cardId}_${monthOf(next)}`, { type: 'card.details', data: { cardId, ...next, details } }, signal);
      return { outcome: 'renewed', expiry: next };
    },

    reportState: (state, signal) => mustAccept(`state_${state.cardId}_${state.revision}`, { type: 'card.state', data: state }, signal),

    reportDispute: (state, signal) =>
      mustAccept(`dispute_${state.disputeId}_${state.revision}`, { type: 'payment.dispute', data: state }, signal),

    close: () => dispatcher.close(),
  };
};

const safeJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
