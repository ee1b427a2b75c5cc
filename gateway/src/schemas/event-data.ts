import { type EventTypeName, eventTypeOf, type FieldKind } from '@florin/proto/events/v1/event-types';
import { z } from 'zod';
import { dateTime } from './fields.ts';

const amount = z
  .string()
  .regex(/^(?:0|-?[1-9]\d*)$/)
  .meta({ description: 'Integer in the smallest unit' });

const KINDS: Readonly<Record<FieldKind, z.ZodType>> = {
  id: z.string().min(1),
  word: z.string().min(1).meta({ description: 'A state or a code. New ones may be added.' }),
  time: dateTime,
  amount,
  hash: z.string().regex(/^0x[0-9a-f]+$/),
  count: z.int().min(0),
  flag: z.boolean(),
  merchant: z
    .object({
      id: z.string().optional(),
      name: z.string().optional(),
      city: z.string().optional(),
      country: z.string().optional(),
      categoryCode: z.string().optional(),
    })
    .meta({ description: 'As the network names it; unknown fields are left out' }),
  transfers: z
    .array(z.object({ debit: z.string(), credit: z.string(), token: z.string(), amount }))
    .meta({ description: 'Amounts that moved from an account of the ledger to another one, together' }),
};

/** The data of the events of a type. A field without a value is left out, and fields may be added. */
export const eventData = (type: EventTypeName): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(eventTypeOf(type).fields).map(([name, kind]) => [name, KINDS[kind].optional()])));
