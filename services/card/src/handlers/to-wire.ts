import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type CardSchema, CardStatus as Wire } from '@florin/proto/card/v1/card';
import { type Card, type CardStatus, statusAt } from '../domain/card.ts';

const STATUS: Readonly<Record<CardStatus, Wire>> = {
  active: Wire.ACTIVE,
  frozen: Wire.FROZEN,
  lost: Wire.LOST,
  stolen: Wire.STOLEN,
  cancelled: Wire.CANCELLED,
  expired: Wire.EXPIRED,
};

const FROM_WIRE = new Map(Object.entries(STATUS).map(([status, wire]) => [wire, status as CardStatus]));

/** The status of a wire value; undefined for an unknown one. */
export const statusFromWire = (wire: Wire): CardStatus | undefined => FROM_WIRE.get(wire);

export const toWireCard = (card: Card, now: Date): MessageInitShape<typeof CardSchema> => ({
  id: card.id,
  userId: card.userId,
  accountId: card.accountId,
  name: card.name,
  last4: card.last4,
  expMonth: card.expMonth,
  expYear: card.expYear,
  network: card.network,
  virtual: true,
  status: STATUS[statusAt(card, now)],
  createdAt: timestampFromDate(card.createdAt),
});
