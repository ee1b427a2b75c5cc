import { CardActor, CardStatus, type Card as WireCard } from '@florin/proto/card/v1/card';
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

const ACTOR = { [CardActor.CARDHOLDER]: 'cardholder', [CardActor.ISSUER]: 'issuer' } as const;

/** The part of the rule that the document can express; the card service checks the whole rule. */
export const cardName = z
  .string()
  .min(1)
  .max(26)
  .regex(/^\P{C}*$/u, 'must be printable');

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
    statusReason: z.string().optional().meta({ description: 'Reason given for the current status' }),
    frozenBy: z
      .enum(Object.values(ACTOR))
      .optional()
      .meta({ description: 'Present while the card is frozen; the cardholder cannot lift a freeze by the issuer' }),
    replacementFor: id.optional().meta({ description: 'The lost or stolen card that this card replaces' }),
    replacedBy: id.optional().meta({ description: 'The card that replaces this lost or stolen card' }),
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
  ...(wire.statusReason === '' ? {} : { statusReason: wire.statusReason }),
  ...(wire.frozenBy === CardActor.UNSPECIFIED ? {} : { frozenBy: toWord(ACTOR, wire.frozenBy) }),
  ...(wire.replacementFor === '' ? {} : { replacementFor: wire.replacementFor }),
  ...(wire.replacedBy === '' ? {} : { replacedBy: wire.replacedBy }),
  createdAt: toIso(wire.createdAt),
});
