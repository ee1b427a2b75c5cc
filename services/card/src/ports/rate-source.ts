/** Port to a source of exchange rates. */
export type RateSource = {
  /**
   * Units of currency `to` for one unit of currency `from` (ISO 4217), a decimal string above zero; undefined when there is no rate.
   */
  find: (from: string, to: string) => Promise<string | undefined>;
};
