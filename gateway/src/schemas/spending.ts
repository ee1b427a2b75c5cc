import type { CardLimit, CardLimits, CardControls as WireControls } from '@florin/proto/card/v1/spending';
import { z } from 'zod';
import { amount, currency, dateTime, toIso } from './fields.ts';
import { displayed } from './text.ts';

const limit = z.object({
  amount,
  currency,
  used: amount.meta({ description: 'What counts in the current period' }),
  remaining: amount,
  resetsAt: dateTime.optional().meta({ description: 'End of the current period; absent for `perTransaction`' }),
});

/** The limits of a card; one that is absent does not exist. */
export const cardLimits = z
  .object({ perTransaction: limit, daily: limit, weekly: limit, monthly: limit, atm: limit })
  .partial()
  .meta({ id: 'CardLimits' });

export const toCardLimits = (wire: CardLimits | undefined): z.output<typeof cardLimits> => {
  const convert = (name: keyof z.output<typeof cardLimits>, found: CardLimit | undefined) =>
    found === undefined || found.amount === ''
      ? []
      : [
          [
            name,
            {
              amount: found.amount,
              currency: wire?.currency ?? '',
              used: found.used,
              remaining: found.remaining,
              ...(found.resetsAt === undefined ? {} : { resetsAt: toIso(found.resetsAt) }),
            },
          ],
        ];
  return Object.fromEntries([
    ...convert('perTransaction', wire?.perTransaction),
    ...convert('daily', wire?.daily),
    ...convert('weekly', wire?.weekly),
    ...convert('monthly', wire?.monthly),
    ...convert('atm', wire?.atm),
  ]) as z.output<typeof cardLimits>;
};

const newLimit = z.object({
  amount: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,14})$/, 'must be an integer in the minor unit, below 10^15')
    .meta({ description: 'Integer in the minor unit of the currency', examples: ['50000'] }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
    .meta({ description: 'Currency that the card is billed in', examples: ['EUR'] }),
});

export const newCardLimits = z
  .object({ perTransaction: newLimit, daily: newLimit, weekly: newLimit, monthly: newLimit, atm: newLimit })
  .partial();

const list = (value: z.ZodString | ReturnType<typeof displayed>) =>
  z.object({ allow: z.array(value).max(200).optional(), deny: z.array(value).max(200).optional() });

/** The payments that a cardholder permits. */
export const cardControls = z
  .object({
    categories: list(z.string().regex(/^[0-9]{4}$/, 'must be a merchant category code'))
      .optional()
      .meta({ description: 'Merchant category codes (ISO 18245)' }),
    countries: list(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code'))
      .optional()
      .meta({ description: 'Countries of merchants' }),
    merchants: list(displayed(35, 1)).optional().meta({ description: "Acquirers' ids of merchants" }),
    online: z.boolean().optional().meta({ description: 'Whether payments without the card present are permitted; default true' }),
    contactless: z.boolean().optional().meta({ description: 'Whether contactless payments are permitted; default true' }),
    atm: z.boolean().optional().meta({ description: 'Whether cash withdrawals are permitted; default true' }),
  })
  .meta({ id: 'CardControls' });

type Controls = z.output<typeof cardControls>;

export const toWireControls = ({ categories, countries, merchants, online = true, contactless = true, atm = true }: Controls) => {
  const lists = (given: Controls['categories']) => ({ allow: given?.allow ?? [], deny: given?.deny ?? [] });
  return {
    categories: lists(categories),
    countries: lists(countries),
    merchants: lists(merchants),
    onlineOff: !online,
    contactlessOff: !contactless,
    atmOff: !atm,
  };
};

export const toControls = (wire: WireControls | undefined): Controls => {
  const lists = (given: { allow: string[]; deny: string[] } | undefined) => ({ allow: given?.allow ?? [], deny: given?.deny ?? [] });
  return {
    categories: lists(wire?.categories),
    countries: lists(wire?.countries),
    merchants: lists(wire?.merchants),
    online: wire?.onlineOff !== true,
    contactless: wire?.contactlessOff !== true,
    atm: wire?.atmOff !== true,
  };
};
