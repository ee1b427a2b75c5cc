/** An exchange rate. */
export type Rate = {
  /** Units of one currency for one unit of another, a decimal string above zero. */
  rate: string;
  /** The day of the rate, ISO 8601; absent where the source has none. */
  date?: string;
  /** The rate is older than one that payments are decided by. */
  isOld?: true;
};

/** Port to a source of exchange rates. */
export type RateSource = {
  /** Units of currency `to` for one unit of currency `from` (ISO 4217); undefined when there is no rate. */
  find: (from: string, to: string) => Promise<Rate | undefined>;
};
