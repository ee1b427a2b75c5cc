import { ConfigError } from '@florin/rpc/config';
import type { CardNumbersClient } from '../clients/card-numbers.ts';
import type { CardConfig } from '../config.ts';
import { firstExpiry, nextExpiry } from '../domain/card-term.ts';
import type { CardProcessor } from './card-processor.ts';
import { createHttpCardProcessor } from './http-card-processor.ts';
import { isPrivateUrl } from './private-url.ts';

/** Issues test cards: the vault makes their numbers, and no outside system knows them. */
export const createSandboxCardProcessor = (numbers: Pick<CardNumbersClient, 'issue' | 'renew'>): CardProcessor => ({
  issueCard: async ({ cardId, userId, requestedAt }, signal) => ({
    outcome: 'issued',
    face: await numbers.issue({ cardId, userId, ...firstExpiry(requestedAt) }, signal),
  }),
  renewCard: async ({ cardId, ...current }, signal) => {
    const { expMonth, expYear } = await numbers.renew({ cardId, ...nextExpiry(current) }, signal);
    return { outcome: 'renewed', expiry: { expMonth, expYear } };
  },
  reportState: async () => undefined,
  reportDispute: async () => undefined,
});

type Settings = Pick<CardConfig, 'SANDBOX' | 'PROCESSOR' | 'PROCESSOR_URL' | 'PROCESSOR_SECRET'>;
type Surroundings = { numbers: CardNumbersClient; now: () => Date; defer: (release: () => unknown) => void };

/**
 * The processor that the configuration names; without a name the sandbox's in the sandbox, and the bridge outside.
 * @throws ConfigError when the sandbox processor is configured outside the sandbox, or the bridge without its URL and key
 */
export const chooseCardProcessor = (settings: Settings, { numbers, now, defer }: Surroundings): CardProcessor => {
  const { SANDBOX, PROCESSOR = SANDBOX ? 'sandbox' : 'http', PROCESSOR_URL: url, PROCESSOR_SECRET: secrets } = settings;
  if (PROCESSOR === 'sandbox') {
    if (!SANDBOX) throw new ConfigError('PROCESSOR: sandbox issues test cards and requires SANDBOX=true; use http');
    return createSandboxCardProcessor(numbers);
  }
  if (url === undefined) throw new ConfigError('PROCESSOR_URL: is required with PROCESSOR=http, the default outside the sandbox');
  if (secrets === undefined) throw new ConfigError('PROCESSOR_SECRET: is required with PROCESSOR=http, the default outside the sandbox');
  if (!SANDBOX && !isPrivateUrl(url)) throw new ConfigError('PROCESSOR_URL: must be an https URL outside the sandbox');
  const processor = createHttpCardProcessor({ url, secrets, numbers, now });
  defer(processor.close);
  return processor;
};
