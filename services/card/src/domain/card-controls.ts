import type { CardMerchant } from './card-merchant.ts';
import type { DeclineCode } from './decline-codes.ts';
import type { EntryMode } from './payment.ts';

/** When `allow` is not empty, only its values are permitted; `deny` prevails. */
export type ControlList = { allow?: readonly string[]; deny?: readonly string[] };

/** The payments that a cardholder, or a program, permits. An empty object permits everything. */
export type CardControls = {
  /** Merchant category codes. */
  categories?: ControlList;
  /** ISO 3166-1 alpha-2 codes. */
  countries?: ControlList;
  /** Ids of merchants. */
  merchants?: ControlList;
  onlineOff?: boolean;
  contactlessOff?: boolean;
  atmOff?: boolean;
  /** Present if the card is for single use: it approves the first purchase from this time on, and no other one. */
  singleUseFrom?: Date;
};

/** Controls as they are asked for: single use begins when they are stored. */
export type NewControls = Omit<CardControls, 'singleUseFrom'> & { singleUse: boolean };

type ControlledPayment = { merchant?: CardMerchant | undefined; entryMode?: EntryMode | undefined; atm: boolean };

/** A value that is not known passes a list of denied values, not one of allowed values. */
const permits = ({ allow = [], deny = [] }: ControlList = {}, value: string | undefined): boolean => {
  if (value !== undefined && deny.includes(value)) return false;
  return allow.length === 0 || (value !== undefined && allow.includes(value));
};

const LISTS = ['categories', 'countries', 'merchants'] as const;
const SWITCHES = ['onlineOff', 'contactlessOff', 'atmOff'] as const;

/** Reports whether a list permits a value that it did not: a listed one, one that no list has, or one that is not known. */
const opensList = (from: ControlList = {}, to: ControlList = {}): boolean => {
  const listed = [from, to].flatMap(({ allow = [], deny = [] }) => [...allow, ...deny]);
  return [...listed, '', undefined].some((value) => permits(to, value) && !permits(from, value));
};

/** Reports whether controls permit payments that they did not. */
export const opens = (from: CardControls, to: CardControls): boolean =>
  SWITCHES.some((name) => from[name] === true && to[name] !== true) ||
  (from.singleUseFrom !== undefined && to.singleUseFrom === undefined) ||
  LISTS.some((name) => opensList(from[name], to[name]));

const isOnline = (entryMode: EntryMode | undefined): boolean =>
  entryMode === 'ecommerce' || entryMode === 'merchant_initiated' || entryMode === 'manual';

/** Why a payment is not permitted; undefined when it is. */
export const controlDecline = (controls: CardControls, { merchant, entryMode, atm }: ControlledPayment): DeclineCode | undefined => {
  if (!permits(controls.categories, merchant?.categoryCode)) return 'category_blocked';
  if (!permits(controls.countries, merchant?.country)) return 'country_blocked';
  if (!permits(controls.merchants, merchant?.id)) return 'merchant_blocked';
  if (controls.atmOff === true && atm) return 'channel_blocked';
  if (controls.onlineOff === true && isOnline(entryMode)) return 'channel_blocked';
  if (controls.contactlessOff === true && entryMode === 'contactless') return 'channel_blocked';
  return undefined;
};
