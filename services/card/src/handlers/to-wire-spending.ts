import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CardControlsSchema, CardLimitSchema, CardLimitsSchema } from '@florin/proto/card/v1/spending';
import type { CardControls, ControlList } from '../domain/card-controls.ts';
import type { Program } from '../domain/program.ts';
import { type LimitName, lowest, resetsAt, type Spending, usedOf } from '../domain/spending.ts';

/** The limits in force for a card, with what counts against them at `now`. */
export const toWireLimits = (spending: Spending, program: Program, now: Date): MessageInitShape<typeof CardLimitsSchema> => {
  const limits = lowest(spending.limits, program.limits);
  const toLimit = (name: LimitName): MessageInitShape<typeof CardLimitSchema> => {
    const limit = limits[name];
    const used = usedOf(spending, name, now);
    const left = limit === undefined || limit > used ? (limit ?? 0n) - used : 0n;
    const reset = resetsAt(name, now);
    return {
      amount: limit?.toString() ?? '',
      used: used.toString(),
      remaining: limit === undefined ? '' : left.toString(),
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

const toList = ({ allow = [], deny = [] }: ControlList = {}) => ({ allow: [...allow], deny: [...deny] });

/** Controls with every list, empty ones included. */
export const toWireControls = (controls: CardControls): MessageInitShape<typeof CardControlsSchema> => ({
  categories: toList(controls.categories),
  countries: toList(controls.countries),
  merchants: toList(controls.merchants),
  onlineOff: controls.onlineOff ?? false,
  contactlessOff: controls.contactlessOff ?? false,
  atmOff: controls.atmOff ?? false,
});
