import { ConfigError } from '@florin/rpc/config';
import type { CardConfig } from '../config.ts';
import type { CardProcessor } from './card-processor.ts';
import { createSandboxProcessor } from './sandbox-processor.ts';

/** @throws ConfigError when cards of the sandbox would be issued outside of it */
export const chooseProcessor = (config: Pick<CardConfig, 'PROCESSOR' | 'SANDBOX' | 'CARD_MASTER_KEY'>): CardProcessor => {
  if (!config.SANDBOX) {
    throw new ConfigError(
      `PROCESSOR: ${config.PROCESSOR} issues test cards and needs SANDBOX=true; outside of the sandbox a card processor is needed`,
    );
  }
  return createSandboxProcessor(config.CARD_MASTER_KEY);
};
