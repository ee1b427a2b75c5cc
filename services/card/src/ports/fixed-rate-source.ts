import type { RateSource } from './rate-source.ts';

/** Rates from configuration: units of the billing currency for one unit of another, by that one's ISO 4217 code. */
export const createFixedRateSource = (billingCurrency: string, rates: Readonly<Record<string, string>>): RateSource => ({
  find: async (from, to) => {
    const rate = to === billingCurrency ? rates[from] : undefined;
    return rate === undefined ? undefined : { rate };
  },
});
