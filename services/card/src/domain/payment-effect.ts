import type { Amount } from '@florin/rpc/money';
import type { ExceptionKind } from './exception.ts';

/**
 * An order that follows from an event. It is written with the event, carried out afterwards, and repeated until it is confirmed; every order
 * is idempotent by its ids. Amounts are in the billing currency's minor unit.
 */
export type PaymentEffect = { id: string } & (
  | { kind: 'open_hold'; holdId: string; amount: Amount; expiresAt: Date }
  | { kind: 'increase_hold'; holdId: string; amount: Amount; expiresAt: Date }
  | { kind: 'decrease_hold'; holdId: string; amount: Amount }
  /** Makes the hold last longer; one that lasts longer already is left alone. */
  | { kind: 'extend_hold'; holdId: string; expiresAt: Date }
  | { kind: 'void_hold'; holdId: string }
  /** Makes sure that a hold which may have been created, or may be yet, holds nothing. */
  | { kind: 'cancel_hold'; holdId: string; expiresAt: Date }
  /** The same for an increase. `changeId` is the id of the increase. */
  | { kind: 'cancel_increase'; holdId: string; changeId: string; amount: Amount }
  /** `fromHold`: takes at most this much from what is held, and the rest from what is available. Default: as much as is held. */
  | { kind: 'post'; holdId: string; amount: Amount; keepOpen: boolean; fromHold?: Amount }
  /** Pays the account from a system account. */
  | { kind: 'credit'; from: 'settlement' | 'disputes'; amount: Amount }
  /** Takes from the account, into debt if need be. */
  | { kind: 'debit'; to: 'settlement' | 'disputes'; amount: Amount }
  /** Pays between the network's account and that of disputes: what the network pays for a dispute that was won. */
  | { kind: 'move'; from: 'settlement' | 'disputes'; to: 'settlement' | 'disputes'; amount: Amount }
  /** Raises an exception about an event. */
  | { kind: 'raise'; exception: ExceptionKind; eventId: string; amount: Amount }
  /** Gives back the authentication that a request which was declined may have used up. */
  | { kind: 'release_authentication'; challengeId: string; requestId: string }
  /** Uses up the authentication of a request whose payment the network has approved in our place. In the minor unit of `currency`. */
  | { kind: 'use_authentication'; challengeId: string; requestId: string; amount: Amount; currency: string }
  /** Tells the payment that a refund refunds of the refund. */
  | { kind: 'relate'; paymentId: string }
  /** Relates a refund and the payment that it refunds, of which neither has known when it was recorded. */
  | { kind: 'match' }
  /** Blocks the card for good, as stolen. */
  | { kind: 'block_card' }
  /** Brings the limits' record of the payment up to date. */
  | { kind: 'usage' }
);

/** An effect without its id. */
export type NewEffect = PaymentEffect extends infer E ? (E extends PaymentEffect ? Omit<E, 'id'> : never) : never;
