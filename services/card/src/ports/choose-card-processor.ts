import { ConfigError } from '@florin/rpc/config';
import type { CardNumbersClient } from '../clients/card-numbers.ts';
import type { CardConfig } from '../config.ts';
import type { CardProcessor } from './card-processor.ts';
import { createSandboxCardProcessor } from './sandbox-card-processor.ts';

/**
 * The processor that the configuration names.
 * @throws ConfigError when the sandbox processor is configured outside the sandbox
 */
export const chooseCardProcessor = (config: CardConfig, numbers: CardNumbersClient): CardProcessor => {
  if (!config.SANDBOX) {
    throw new ConfigError(`PROCESSOR: ${config.PROCESSOR} issues test cards and requires SANDBOX=true; configure a real card processor`);
  }
  return createSandboxCardProcessor(numbers);
};
