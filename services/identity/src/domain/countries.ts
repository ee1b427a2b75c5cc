import { z } from 'zod';

const COUNTRY = /^[A-Z]{2}$/;

/** A list of countries (ISO 3166-1 alpha-2), separated by commas. */
export const countriesSchema = z
  .string()
  .transform((text) => text.split(',').map((country) => country.trim().toUpperCase()))
  .pipe(z.array(z.string().regex(COUNTRY, 'must be two letters')).min(1));

/** The European Economic Area, Switzerland and the United Kingdom. */
export const DEFAULT_COUNTRIES: readonly string[] =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');
