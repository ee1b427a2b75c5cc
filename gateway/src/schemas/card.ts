import { CardStatus, type Card as WireCard } from '@florin/proto/card/v1/card';
import { z } from 'zod';
import { dateTime, fromWord, id, toIso, toWord } from './fields.ts';

const STATUS = {
  [CardStatus.ACTIVE]: 'active',
  [CardStatus.FROZEN]: 'frozen',
  [CardStatus.LOST]: 'lost',
  [CardStatus.STOLEN]: 'stolen',
  [CardStatus.CANCELLED]: 'cancelled',
  [CardStatus.EXPIRED]: 'expired',
} as const;

export const cardStatus = z.enum(Object.values(STATUS));
export const toWireCardStatus = (status: z.output<typeof cardStatus> | undefined): CardStatus =>
  status === undefined ? CardStatus.UNSPECIFIED : fromWord(STATUS, status);

export const card = z
  .object({
    id,
    name: z.string(),
    last4: z.string().regex(/^\d{4}$/),
    expMonth: z.int().min(1).max(12),
    expYear: z.int().min(2000).max(9999),
    network: z.string(),
    virtual: z.boolean(),
    status: cardStatus,
    createdAt: dateTime,
  })
  .meta({ id: 'Card' });

export const toCard = (wire: WireCard): z.output<typeof card> => ({
  id: wire.id,
  name: wire.name,
  last4: wire.last4,
  expMonth: wire.expMonth,
  expYear: wire.expYear,
  network: wire.network,
  virtual: wire.virtual,
  status: toWord(STATUS, wire.status),
  createdAt: toIso(wire.createdAt),
});
