/** The merchant that requests the payment, with the field limits of EMV 3DS; unknown fields are absent. */
export type Merchant = {
  id?: string;
  displayName?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** Merchant category code (ISO 18245). */
  categoryCode?: string;
};
