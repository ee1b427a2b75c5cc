import { ConfigError } from '@florin/rpc/config';
import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import type { CardConfig } from '../config.ts';
import { EcbRateSource } from './ecb-rates.ts';
import { isPrivateUrl } from './private-url.ts';
import type { RateSource } from './rate-source.ts';

/** Rates from configuration: units of the billing currency for one unit of another, by that one's ISO 4217 code. */
const createFixedRateSource = (billingCurrency: string, rates: Readonly<Record<string, string>>): RateSource => ({
  find: async (from, to) => {
    const rate = to === billingCurrency ? rates[from] : undefined;
    return rate === undefined ? undefined : { rate };
  },
});

/** Rates to the euro with which the sandbox converts. */
const SANDBOX_RATES = { USD: '0.92', GBP: '1.17', JPY: '0.0061', CHF: '1.05', KWD: '2.98', SEK: '0.088' };

type Surroundings = { now: () => Date; logger: Logger; metrics: Metrics | undefined; defer: (release: () => unknown) => void };

/** `rates` convert payments; `reference` has the rates that conversions are compared with, if they are known. */
export type Rates = { rates: RateSource; reference: RateSource | undefined };

/**
 * Rates from `FX_RATES`, else those of the European Central Bank from `ECB_RATES`, which are the reference in any case; in the sandbox a few made-up ones by default.
 * @throws ConfigError when the rates come from a URL outside the sandbox that is not private
 */
export const chooseRates = async (
  {
    FX_RATES,
    ECB_RATES,
    ECB_RATES_MAX_AGE_DAYS: maxAgeDays,
    SANDBOX,
    CARD_PROGRAM: { currency },
  }: Pick<CardConfig, 'FX_RATES' | 'ECB_RATES' | 'ECB_RATES_MAX_AGE_DAYS' | 'SANDBOX' | 'CARD_PROGRAM'>,
  { now, logger, metrics, defer }: Surroundings,
): Promise<Rates> => {
  const fixed = FX_RATES === undefined ? undefined : createFixedRateSource(currency, FX_RATES);
  if (ECB_RATES === undefined) {
    const rates = fixed ?? createFixedRateSource(currency, SANDBOX && currency === 'EUR' ? SANDBOX_RATES : {});
    return { rates, reference: undefined };
  }
  if (!SANDBOX && /^https?:/.test(ECB_RATES) && !isPrivateUrl(ECB_RATES)) {
    throw new ConfigError('ECB_RATES: must be a file or an https URL outside the sandbox');
  }
  const reference = new EcbRateSource({ location: ECB_RATES, maxAgeDays, now, logger });
  defer(() => reference.close());
  await reference.start();
  metrics?.gauge(
    'florin_ecb_rates_timestamp_seconds',
    'Day of the reference rates that are in force, in Unix time; 0 without any',
    () => reference.timestamp,
  );
  return { rates: fixed ?? reference, reference };
};
