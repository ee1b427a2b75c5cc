import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CardSchema } from '@florin/proto/card/v1/card';
import type { CardControlsSchema, CardLimitSchema, CardLimitsSchema } from '@florin/proto/card/v1/spending';
import type { Amount } from '@florin/rpc/money';
import { type Card, seriesOf } from '../domain/card.ts';
import type { CardControls, ControlList } from '../domain/card-controls.ts';
import { type LimitName, lowest, resetsAt } from '../domain/limits.ts';
import { eventOf } from '../domain/payment.ts';
import { isDeclined } from '../domain/payment-event.ts';
import type { Program } from '../domain/program.ts';
import {
  accountDocument,
  newSpending,
  type Spending,
  type SpendingEntry,
  singlePurchase,
  spendingNow,
  usedOf,
} from '../domain/spending.ts';
import type { Dependencies } from './dependencies.ts';

/** The rest of a limit; undefined without one. */
const leftOf = (limit: Amount | undefined, used: Amount): Amount | undefined => {
  if (limit === undefined) return undefined;
  return limit > used ? limit - used : 0n;
};

type Spendings = { ofCard: Spending; ofAccount: Spending };

/** The limits in force for a card, with what counts against them at `now`. */
const toWireLimits = ({ ofCard, ofAccount }: Spendings, program: Program, now: Date): MessageInitShape<typeof CardLimitsSchema> => {
  const limits = lowest(ofCard.limits, program.limits);
  const toLimit = (name: LimitName): MessageInitShape<typeof CardLimitSchema> => {
    const used = usedOf(ofCard, name, now);
    const left = lowest(
      { [name]: leftOf(limits[name], used) },
      { [name]: leftOf(program.accountLimits[name], usedOf(ofAccount, name, now)) },
    );
    const reset = resetsAt(name, now);
    return {
      amount: limits[name]?.toString() ?? '',
      used: used.toString(),
      remaining: left[name]?.toString() ?? '',
      ...(reset === undefined ? {} : { resetsAt: timestampFromDate(reset) }),
    };
  };
  return {
    perTransaction: toLimit('perTransaction'),
    daily: toLimit('daily'),
    weekly: toLimit('weekly'),
    monthly: toLimit('monthly'),
    atm: toLimit('atm'),
    currency: program.currency,
  };
};

/** The part of a card that follows from its spending: its limits as they are now, and the purchase that has used it up. */
export type WireSpending = Required<Pick<MessageInitShape<typeof CardSchema>, 'limits' | 'usedBy'>>;

/** The purchase of a card for single use, as the payments tell it: not one that is only being decided, or whose declined request has left its reservation. */
const purchaseOf = async (
  { payments }: Pick<Dependencies, 'payments'>,
  { controls, entries }: Spending,
): Promise<SpendingEntry | undefined> => {
  if (controls.singleUseFrom === undefined) return undefined;
  const isApproved = async ({ paymentId, revision, reservations }: SpendingEntry): Promise<boolean> => {
    if (revision > 0) return true;
    const payment = await payments.find(paymentId);
    return reservations.some(({ eventId }) => {
      const event = payment && eventOf(payment, eventId);
      return event !== undefined && !isDeclined(event);
    });
  };
  const approved = await Promise.all(entries.map(isApproved));
  return singlePurchase({ controls, entries: entries.filter((_entry, at) => approved[at]) });
};

export const readSpending = async (
  { spendings, payments, program, runtime }: Pick<Dependencies, 'spendings' | 'payments' | 'program' | 'runtime'>,
  card: Card,
): Promise<WireSpending> => {
  const read = async (id: string) => (await spendings.find(id)) ?? newSpending(id);
  const [ofCard, ofAccount] = await Promise.all([read(seriesOf(card)), read(accountDocument(card.accountId))]);
  const limits = toWireLimits({ ofCard, ofAccount }, program, spendingNow(ofCard, runtime.now()));
  return { limits, usedBy: (await purchaseOf({ payments }, ofCard))?.paymentId ?? '' };
};

const toList = ({ allow = [], deny = [] }: ControlList = {}) => ({ allow: [...allow], deny: [...deny] });

/** Controls with every list, empty ones included. */
export const toWireControls = (controls: CardControls): MessageInitShape<typeof CardControlsSchema> => ({
  categories: toList(controls.categories),
  countries: toList(controls.countries),
  merchants: toList(controls.merchants),
  onlineOff: controls.onlineOff ?? false,
  contactlessOff: controls.contactlessOff ?? false,
  atmOff: controls.atmOff ?? false,
  singleUse: controls.singleUseFrom !== undefined,
});
