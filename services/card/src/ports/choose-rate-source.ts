import type { CardConfig } from '../config.ts';
import { createFixedRateSource } from './fixed-rate-source.ts';
import type { RateSource } from './rate-source.ts';

/** Rates to the euro with which the sandbox converts. */
const SANDBOX_RATES = { USD: '0.92', GBP: '1.17', JPY: '0.0061', CHF: '1.05', KWD: '2.98', SEK: '0.088' };

/** Rates from `FX_RATES`; in the sandbox a few made-up ones by default. */
export const chooseRateSource = ({
  FX_RATES,
  SANDBOX,
  CARD_PROGRAM,
}: Pick<CardConfig, 'FX_RATES' | 'SANDBOX' | 'CARD_PROGRAM'>): RateSource =>
  createFixedRateSource(CARD_PROGRAM.currency, FX_RATES ?? (SANDBOX && CARD_PROGRAM.currency === 'EUR' ? SANDBOX_RATES : {}));
