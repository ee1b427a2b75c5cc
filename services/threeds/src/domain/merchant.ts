import { merchantText } from '@florin/rpc/fields';
import { z } from 'zod';

/** The merchant that requests the payment, with the field limits of EMV 3DS; unknown fields are absent. */
export type Merchant = {
  id?: string;
  displayName?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** Merchant category code (ISO 18245). */
  categoryCode?: string;
};

/** A merchant as requests carry it: empty fields are absent. */
export const merchantSchema = z
  .object({
    id: merchantText(35),
    displayName: merchantText(40),
    country: z.string().regex(/^(?:[A-Z]{2})?$/, 'must be an ISO 3166-1 alpha-2 code'),
    categoryCode: z.string().regex(/^(?:[0-9]{4})?$/, 'must be four digits'),
  })
  .transform((given): Merchant => Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')));
