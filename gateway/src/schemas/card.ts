import { CardActor, CardColour, CardStatus, type Card as WireCard } from '@florin/proto/card/v1/card';
import { z } from 'zod';
import { dateTime, id, toIso } from './fields.ts';
import { cardLimits, toCardLimits } from './spending.ts';
import { printable } from './text.ts';
import { wordsOf } from './words.ts';

const statuses = wordsOf(CardStatus);
const actors = wordsOf(CardActor);
const colours = wordsOf(CardColour);

export const cardName = printable(26).meta({ description: 'Name that the cardholder gives the card', examples: ['Everyday'] });

export const cardColour = colours.schema.meta({ id: 'CardColour', description: 'Colour in which apps show a card' });
export const toWireCardColour = colours.toValue;

export const cardStatus = statuses.schema;
export const toWireCardStatus = statuses.toValue;

export const card = z
  .object({
    id,
    cardName: z.string().meta({ description: 'Name that the cardholder gave the card' }),
    name: z.string().meta({ description: 'The same as `cardName`', deprecated: true }),
    colour: cardColour.optional().meta({ description: 'Colour that the cardholder chose; apps show a card without it in green' }),
    last4: z.string().regex(/^\d{4}$/),
    expMonth: z.int().min(1).max(12),
    expYear: z.int().min(2000).max(9999),
    network: z.string(),
    virtual: z.boolean(),
    status: cardStatus,
    statusReason: z.string().optional().meta({ description: 'Reason given for the current status' }),
    frozenBy: actors.schema
      .optional()
      .meta({ description: 'Present while the card is frozen; the cardholder cannot lift a freeze by the issuer' }),
    replacementFor: id.optional().meta({ description: 'The lost or stolen card that this card replaces' }),
    replacedBy: id.optional().meta({ description: 'The card that replaces this lost or stolen card' }),
    usedBy: id.optional().meta({ description: 'The payment that has used up a card for single use' }),
    limits: cardLimits.optional().meta({ description: 'Present where cards are read' }),
    createdAt: dateTime,
  })
  .meta({ id: 'Card' });

export const toCard = (wire: WireCard): z.output<typeof card> => ({
  id: wire.id,
  cardName: wire.name,
  name: wire.name,
  ...(wire.colour === CardColour.UNSPECIFIED ? {} : { colour: colours.toWord(wire.colour) }),
  last4: wire.last4,
  expMonth: wire.expMonth,
  expYear: wire.expYear,
  network: wire.network,
  virtual: wire.virtual,
  status: statuses.toWord(wire.status),
  ...(wire.statusReason === '' ? {} : { statusReason: wire.statusReason }),
  ...(wire.frozenBy === CardActor.UNSPECIFIED ? {} : { frozenBy: actors.toWord(wire.frozenBy) }),
  ...(wire.replacementFor === '' ? {} : { replacementFor: wire.replacementFor }),
  ...(wire.replacedBy === '' ? {} : { replacedBy: wire.replacedBy }),
  ...(wire.usedBy === '' ? {} : { usedBy: wire.usedBy }),
  ...(wire.limits === undefined ? {} : { limits: toCardLimits(wire.limits) }),
  createdAt: toIso(wire.createdAt),
});
