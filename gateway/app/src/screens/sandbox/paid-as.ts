import type { Merchant } from './merchants.ts';

/** A shop as the card network names it. */
export const paidAs = ({ name, city, country, categoryCode }: Merchant) => ({ name, city, country, categoryCode });
