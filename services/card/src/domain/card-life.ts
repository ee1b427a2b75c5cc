import { CodedError } from '@florin/rpc/errors';
import { type Card, type CardAction, type CardColour, type CardStatus, type ChangeOrigin, expiryOf, statusAt } from './card.ts';
import type { CardEvent } from './events.ts';

/**
 * The life of a card: the status after each action, by the status before it. A missing cell is CARD_STATE_CONFLICT; a cell with the
 * same status returns the card unchanged, or changes something else than the status. No action leaves `lost`, `stolen`, `cancelled` or
 * `expired`. Either party may end a card that the other one has frozen.
 *
 * `unfreeze` lifts the freeze of the party that requests it; the card stays frozen while the other party's freeze stands.
 */
export const CARD_LIFE: Readonly<Record<CardAction, Readonly<Partial<Record<CardStatus, CardStatus>>>>> = {
  freeze: { active: 'frozen', frozen: 'frozen' },
  unfreeze: { active: 'active', frozen: 'active' },
  report_lost: { active: 'lost', frozen: 'lost', lost: 'lost' },
  report_stolen: { active: 'stolen', frozen: 'stolen', stolen: 'stolen' },
  cancel: { active: 'cancelled', frozen: 'cancelled', cancelled: 'cancelled' },
  replace: { lost: 'lost', stolen: 'stolen' },
  renew: { active: 'active', frozen: 'frozen' },
  rename: { active: 'active', frozen: 'frozen' },
};

/** Entries of the history that a card keeps; the event stream has all of them. */
const MAX_HISTORY = 100;

/** A card valid for longer than this has been renewed for its next term already. One term is 48 months and the rest of a month. */
const MAX_RENEWABLE_MONTHS = 49;

/** A renewal closer to the expiry is rejected, so that clocks that differ a little never revive an expired card. */
const RENEWAL_MARGIN_MS = 60_000;

/** The look of a card, as its cardholder chooses it; what is absent stays. */
type CardLook = { name?: string; colour?: CardColour };

export type CardCommand =
  | { action: 'freeze' | 'unfreeze' | 'report_lost' | 'report_stolen' | 'cancel' }
  | ({ action: 'rename' } & CardLook)
  | { action: 'replace'; replacedBy: string }
  | { action: 'renew'; expMonth: number; expYear: number };

/** A change that has yet to be written. */
type PlannedChange = { card: Card; event: CardEvent };

const EVENT_TYPE = {
  freeze: 'card.frozen',
  unfreeze: 'card.unfrozen',
  report_lost: 'card.lost',
  report_stolen: 'card.stolen',
  cancel: 'card.cancelled',
  replace: 'card.replaced',
  renew: 'card.renewed',
  rename: 'card.renamed',
} as const satisfies Record<CardAction, CardEvent['type']>;

/**
 * Reports whether an earlier request with this key has made the change.
 * @throws CodedError IDEMPOTENCY_KEY_REUSED when it was a different change
 */
export const isRepeat = ({ history }: Pick<Card, 'history'>, { requestId, inputHash }: ChangeOrigin): boolean => {
  const earlier = history.find((change) => change.requestId === requestId);
  if (earlier !== undefined && earlier.inputHash !== inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
  return earlier !== undefined;
};

const requireRenewable = ({ expiresAt }: Card, now: Date): void => {
  const renewableFrom = new Date(expiresAt);
  renewableFrom.setUTCMonth(renewableFrom.getUTCMonth() - MAX_RENEWABLE_MONTHS);
  if (now < renewableFrom || now.getTime() > expiresAt.getTime() - RENEWAL_MARGIN_MS) throw new CodedError('CARD_STATE_CONFLICT');
};

const unfreeze = ({ frozenBy }: Card, { actor }: ChangeOrigin): Partial<Card> => {
  if (actor === 'cardholder' && frozenBy.includes('issuer')) throw new CodedError('FROZEN_BY_ISSUER');
  if (!frozenBy.includes(actor)) throw new CodedError('CARD_STATE_CONFLICT');
  const left = frozenBy.filter((other) => other !== actor);
  return { status: left.length === 0 ? 'active' : 'frozen', frozenBy: left };
};

/** The fields that a command changes; undefined when the card is in the requested state already. */
const effectOf = (card: Card, command: CardCommand, origin: ChangeOrigin, now: Date): Partial<Card> | undefined => {
  switch (command.action) {
    case 'freeze':
      if (card.frozenBy.includes(origin.actor)) return undefined;
      return { status: 'frozen', frozenBy: [...card.frozenBy, origin.actor] };
    case 'unfreeze':
      return card.status === 'active' ? undefined : unfreeze(card, origin);
    case 'report_lost':
      return card.status === 'lost' ? undefined : { status: 'lost', frozenBy: [] };
    case 'report_stolen':
      return card.status === 'stolen' ? undefined : { status: 'stolen', frozenBy: [] };
    case 'cancel':
      return card.status === 'cancelled' ? undefined : { status: 'cancelled', frozenBy: [] };
    case 'rename': {
      const { action: _action, ...look } = command;
      const { name = card.name, colour = card.colour } = look;
      return name === card.name && colour === card.colour ? undefined : look;
    }
    case 'replace':
      return card.replacedBy === undefined ? { replacedBy: command.replacedBy } : undefined;
    case 'renew': {
      requireRenewable(card, now);
      const { expMonth, expYear } = command;
      return { expMonth, expYear, expiresAt: expiryOf(command) };
    }
  }
};

const requireAllowed = (card: Card, action: CardAction, now: Date): CardStatus => {
  const from = statusAt(card, now);
  if (CARD_LIFE[action][from] === undefined) throw new CodedError('CARD_STATE_CONFLICT');
  return from;
};

/**
 * A change of the status brings its reason; any other change keeps the reason. Lifting a freeze clears it. The reason of the issuer's
 * freeze stands while that freeze does, because it is the one that the cardholder cannot lift.
 */
const reasonAfter = (card: Card, { action }: CardCommand, effect: Partial<Card>, origin: ChangeOrigin): string | undefined => {
  if (action === 'unfreeze') return undefined;
  const behindIssuer = action === 'freeze' && origin.actor === 'cardholder' && card.frozenBy.includes('issuer');
  return effect.status === undefined || behindIssuer ? card.statusReason : origin.reason;
};

/**
 * Applies a command to a card, without writing it.
 * @returns undefined when the card needs no change: a repeat, or a card in the requested state
 * @throws CodedError CARD_STATE_CONFLICT, FROZEN_BY_ISSUER, IDEMPOTENCY_KEY_REUSED
 */
export const planChange = (card: Card, command: CardCommand, origin: ChangeOrigin, now: Date): PlannedChange | undefined => {
  if (isRepeat(card, origin)) return undefined;
  const { action } = command;
  const from = requireAllowed(card, action, now);
  const effect = effectOf(card, command, origin, now);
  if (effect === undefined) return undefined;

  const { statusReason: _reason, renewal, ...rest } = card;
  const statusReason = reasonAfter(card, command, effect, origin);
  // A renewal survives any change but the one that completes it, or that ends the card.
  const keepsRenewal = action !== 'renew' && (effect.status === undefined || effect.status === 'active' || effect.status === 'frozen');
  const changed: Card = {
    ...rest,
    ...(statusReason === undefined ? {} : { statusReason }),
    ...(renewal !== undefined && keepsRenewal ? { renewal } : {}),
    ...effect,
    revision: card.revision + 1,
  };
  const to = statusAt(changed, now);
  const change = { ...origin, at: now, action, from, to };
  const { accountId, userId, last4 } = card;
  return {
    card: { ...changed, history: [...card.history, change].slice(-MAX_HISTORY) },
    event: { type: EVENT_TYPE[action], payload: { cardId: card.id, accountId, userId, last4, status: to, actor: origin.actor } },
  };
};

/**
 * Records that a renewal is requested, so that it is completed even if this process is killed.
 * @returns undefined for a repeat: the card is renewed, or the same request's renewal is in progress
 * @throws CodedError CARD_STATE_CONFLICT (also while another request's renewal is in progress), IDEMPOTENCY_KEY_REUSED
 */
export const planRenewal = (card: Card, origin: ChangeOrigin, now: Date): Card | undefined => {
  if (isRepeat(card, origin)) return undefined;
  if (card.renewal !== undefined) {
    if (card.renewal.origin.requestId !== origin.requestId) throw new CodedError('CARD_STATE_CONFLICT');
    if (card.renewal.origin.inputHash !== origin.inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    return undefined;
  }
  requireAllowed(card, 'renew', now);
  requireRenewable(card, now);
  return { ...card, renewal: { origin, requestedAt: now }, revision: card.revision + 1 };
};
