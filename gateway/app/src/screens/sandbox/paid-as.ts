import type { Merchant } from './merchants.ts';

/** A shop as the card network names it. */
export const paidAs = ({ id, name, city, country, categoryCode }: Merchant) => ({ id, name, city, country, categoryCode });
