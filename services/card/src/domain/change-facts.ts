import { formatAmount } from '@florin/rpc/money';
import type { ControlList, NewControls } from './card-controls.ts';
import type { Billing } from './events.ts';
import { LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';

/**
 * A change of a card that a wallet of the user approves: what is to hold afterwards, as the lines of the text that the wallet shows. They follow from the
 * request alone, so that a change by somebody else in between spoils no signature.
 */
export type ApprovedChange = { kind: 'limits' | 'controls' | 'unfreeze'; facts: readonly string[] };

const LIMIT_LABEL: Readonly<Record<LimitName, string>> = {
  perTransaction: 'Per payment',
  daily: 'Per day',
  weekly: 'Per week',
  monthly: 'Per month',
  atm: 'Cash per day',
};

/** @param named the limits that change; one that `wanted` does not have falls back to that of the program */
export const limitsChange = (named: ReadonlySet<LimitName>, wanted: Limits, { currency, decimals }: Billing): ApprovedChange => ({
  kind: 'limits',
  facts: LIMIT_NAMES.filter((name) => named.has(name)).map((name) => {
    const limit = wanted[name];
    return `${LIMIT_LABEL[name]}: ${limit === undefined ? 'as the card program' : `${formatAmount(limit, decimals)} ${currency}`}`;
  }),
});

/** The controls that can change, by the names of their fields in the contract: each side of a list by itself. */
const CONTROL_NAMES = [
  'online_off',
  'contactless_off',
  'atm_off',
  'single_use',
  'countries.allow',
  'countries.deny',
  'categories.allow',
  'categories.deny',
  'merchants.allow',
  'merchants.deny',
] as const;
type ControlName = (typeof CONTROL_NAMES)[number];

const off = (label: string, isOff: boolean | undefined): string => `${label}: ${isOff === true ? 'off' : 'on'}`;

/** Ids of merchants may contain commas, so they are quoted. */
const values = (label: string, list: readonly string[] = [], none: string, quoted = false): string =>
  `${label}: ${list.length === 0 ? none : list.map((value) => (quoted ? JSON.stringify(value) : value)).join(', ')}`;

const allow = (label: string, list: ControlList | undefined, quoted = false) => values(`${label} allowed`, list?.allow, 'all', quoted);
const deny = (label: string, list: ControlList | undefined, quoted = false) => values(`${label} blocked`, list?.deny, 'none', quoted);

const CONTROL_FACT: Readonly<Record<ControlName, (controls: NewControls) => string>> = {
  online_off: ({ onlineOff }) => off('Online payments', onlineOff),
  contactless_off: ({ contactlessOff }) => off('Contactless payments', contactlessOff),
  atm_off: ({ atmOff }) => off('Cash withdrawals', atmOff),
  single_use: ({ singleUse }) => off('Single use', !singleUse),
  'countries.allow': ({ countries }) => allow('Countries', countries),
  'countries.deny': ({ countries }) => deny('Countries', countries),
  'categories.allow': ({ categories }) => allow('Categories', categories),
  'categories.deny': ({ categories }) => deny('Categories', categories),
  'merchants.allow': ({ merchants }) => allow('Merchants', merchants, true),
  'merchants.deny': ({ merchants }) => deny('Merchants', merchants, true),
};

/** @param named the controls that change; empty: all of them */
export const controlsChange = (named: readonly string[], wanted: NewControls): ApprovedChange => ({
  kind: 'controls',
  facts: CONTROL_NAMES.filter((name) => named.length === 0 || named.includes(name)).map((name) => CONTROL_FACT[name](wanted)),
});

export const UNFREEZING: ApprovedChange = { kind: 'unfreeze', facts: [] };
