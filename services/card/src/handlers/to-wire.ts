import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type CardChangeSchema,
  type CardSchema,
  CardActor as WireActor,
  CardColour as WireColour,
  CardStatus as WireStatus,
} from '@florin/proto/card/v1/card';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { createWords } from '@florin/rpc/contract';
import { type Card, type CardChange, statusAt } from '../domain/card.ts';
import type { WireSpending } from './to-wire-spending.ts';

const STATUSES = createWords(WireStatus);
const ACTORS = createWords(WireActor);
const COLOURS = createWords(WireColour);

/** The status of a wire value; undefined for an unknown one. */
export const statusFromWire = STATUSES.toWord;

/** The colour of a wire value; undefined if none is given. */
export const colourFromWire = COLOURS.toWord;

const toWireChange = ({ at, action, from, to, actor, actorId, reason = '' }: CardChange): MessageInitShape<typeof CardChangeSchema> => ({
  at: timestampFromDate(at),
  action,
  from: STATUSES.toValue(from),
  to: STATUSES.toValue(to),
  actor: ACTORS.toValue(actor),
  actorId,
  reason,
});

/** The issuer's freeze takes precedence, because the cardholder cannot lift it. */
const frozenBy = ({ frozenBy: parties }: Card): WireActor => {
  if (parties.includes('issuer')) return WireActor.ISSUER;
  return parties.length === 0 ? WireActor.UNSPECIFIED : WireActor.CARDHOLDER;
};

/** A card as the caller sees it. The history names people at the issuer and is for services that may change cards. */
export const toWireCard = (
  card: Card,
  now: Date,
  caller: UserCaller | ServiceCaller,
  spending?: WireSpending,
): MessageInitShape<typeof CardSchema> => ({
  id: card.id,
  userId: card.userId,
  accountId: card.accountId,
  name: card.name,
  colour: COLOURS.toValue(card.colour),
  last4: card.last4,
  expMonth: card.expMonth,
  expYear: card.expYear,
  network: card.network,
  virtual: true,
  status: STATUSES.toValue(statusAt(card, now)),
  createdAt: timestampFromDate(card.createdAt),
  statusReason: card.statusReason ?? '',
  frozenBy: statusAt(card, now) === 'frozen' ? frozenBy(card) : WireActor.UNSPECIFIED,
  replacementFor: card.replacementFor ?? '',
  replacedBy: card.replacedBy ?? '',
  history: caller.kind === 'service' && caller.scopes.has(CARD_SCOPES.writeCards) ? card.history.map(toWireChange) : [],
  ...spending,
});
