/** Writes a rate of exchange for a reader, for example `1 JPY = 0.0061 EUR`. @param rate a decimal number */
export const formatRate = (from: string, rate: string, to: string, locale: string): string =>
  `1 ${from} = ${new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 }).format(rate as Intl.StringNumericLiteral)} ${to}`;
