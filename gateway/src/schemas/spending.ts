import type { CardLimit, CardLimits, CardControls as WireControls } from '@florin/proto/card/v1/spending';
import { z } from 'zod';
import { someOf } from './at-least-one.ts';
import { amount, currency, dateTime, toIso } from './fields.ts';
import { displayed } from './text.ts';

const limit = z.object({
  amount,
  currency,
  used: amount.meta({ description: 'Amount that counts in the current period' }),
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

const newLimitOrNone = newLimit.nullable().meta({ description: 'Null: only the limit of the card program holds' });

/** All limits of a card, to replace them. */
export const newCardLimits = z.object({
  perTransaction: newLimitOrNone,
  daily: newLimitOrNone,
  weekly: newLimitOrNone,
  monthly: newLimitOrNone,
  atm: newLimitOrNone,
});

/** The limits of a card that change. */
export const changedCardLimits = someOf(newCardLimits);

const LIMIT_FIELDS = { perTransaction: 'per_transaction', daily: 'daily', weekly: 'weekly', monthly: 'monthly', atm: 'atm' } as const;

/** The given limits as the contract has them, with the names of their fields. */
export const toWireNewLimits = (given: z.output<typeof changedCardLimits>) => {
  const names = (Object.keys(LIMIT_FIELDS) as (keyof typeof LIMIT_FIELDS)[]).filter((name) => given[name] !== undefined);
  return {
    limits: Object.fromEntries(names.map((name) => [name, given[name]?.amount ?? ''])),
    changed: names.map((name) => LIMIT_FIELDS[name]),
  };
};

const list = (value: z.ZodString | ReturnType<typeof displayed>) =>
  z.object({
    allow: z.array(value).max(200).meta({ description: 'When it is not empty, all other values are excluded' }),
    deny: z.array(value).max(200).meta({ description: 'Excluded values, also allowed ones' }),
  });

const categories = list(z.string().regex(/^[0-9]{4}$/, 'must be a merchant category code'));
const countries = list(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code'));
const merchants = list(displayed(35, 1));

/** The payments that a cardholder permits. */
export const cardControls = z
  .object({
    categories: categories.meta({ description: 'Merchant category codes (ISO 18245)' }),
    countries: countries.meta({ description: 'Countries of merchants' }),
    merchants: merchants.meta({ description: "Acquirers' ids of merchants" }),
    online: z.boolean().meta({ description: 'True if payments without the card present are permitted' }),
    contactless: z.boolean().meta({ description: 'True if contactless payments are permitted' }),
    atm: z.boolean().meta({ description: 'True if cash withdrawals are permitted' }),
    singleUse: z.boolean().meta({
      description:
        'True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first',
    }),
  })
  .meta({ id: 'CardControls' });

/** All controls of a card, to replace them. Programs of earlier releases do not know of single use: it stays without a value. */
export const newCardControls = cardControls.partial({ singleUse: true }).meta({ id: 'NewCardControls' });

/** The controls of a card that change. */
export const changedCardControls = someOf(
  cardControls.extend({ categories: someOf(categories), countries: someOf(countries), merchants: someOf(merchants) }),
);

type Controls = z.output<typeof cardControls>;

const LIST_FIELDS = ['categories', 'countries', 'merchants'] as const;
const SWITCH_FIELDS = { online: 'online_off', contactless: 'contactless_off', atm: 'atm_off', singleUse: 'single_use' } as const;

/** The given controls as the contract has them, with the names of their fields. */
export const toWireControls = (given: z.output<typeof changedCardControls>) => {
  const lists = (name: (typeof LIST_FIELDS)[number]) => ({ allow: given[name]?.allow ?? [], deny: given[name]?.deny ?? [] });
  const sides = LIST_FIELDS.flatMap((name) =>
    (['allow', 'deny'] as const).filter((side) => given[name]?.[side] !== undefined).map((side) => `${name}.${side}`),
  );
  const switches = (Object.keys(SWITCH_FIELDS) as (keyof typeof SWITCH_FIELDS)[]).filter((name) => given[name] !== undefined);
  return {
    controls: {
      categories: lists('categories'),
      countries: lists('countries'),
      merchants: lists('merchants'),
      onlineOff: given.online === false,
      contactlessOff: given.contactless === false,
      atmOff: given.atm === false,
      singleUse: given.singleUse === true,
    },
    changed: [...sides, ...switches.map((name) => SWITCH_FIELDS[name])],
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
    singleUse: wire?.singleUse === true,
  };
};
