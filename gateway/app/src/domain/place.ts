import { namesOfCountries } from './blocks.ts';

/** Where a merchant is, for example `Berlin, Germany`; empty if the acquirer has not said. */
export const placeOf = ({ city, country }: { city?: string | undefined; country?: string | undefined }, locale: string): string =>
  [city, country === undefined ? undefined : namesOfCountries(locale)(country)]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
