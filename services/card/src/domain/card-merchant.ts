/** The card acceptor of a payment; unknown fields are absent. */
export type CardMerchant = {
  /** The acquirer's id. */
  id?: string;
  name?: string;
  city?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** ISO 18245. */
  categoryCode?: string;
};

/** First and last category code that ISO 18245 assigns. */
const [FIRST_CATEGORY, LAST_CATEGORY] = [742, 9950];

/** Reports whether a code is a merchant category code: four digits within the ranges of ISO 18245. */
export const isCategoryCode = (code: string): boolean =>
  /^[0-9]{4}$/.test(code) && Number(code) >= FIRST_CATEGORY && Number(code) <= LAST_CATEGORY;
