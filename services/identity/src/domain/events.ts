import type { Runtime } from '@florin/rpc/runtime';
import type { KycState } from './kyc.ts';

/** The kind of an event. Payloads hold ids and wallets, and no other personal data. */
export type EventContent =
  | { type: 'user.registered'; payload: { userId: string; partnerId: string; accountId: string } }
  | { type: 'user.kyc_changed'; payload: { userId: string; partnerId: string; state: KycState; status: KycState } }
  | { type: 'user.wallet_added'; payload: { userId: string; address: string } }
  | { type: 'user.wallet_removed'; payload: { userId: string; address: string } }
  | { type: 'user.primary_wallet_changed'; payload: { userId: string; address: string } }
  | { type: 'user.card_limits_raising' | 'user.card_controls_opening'; payload: { userId: string; last4: string } }
  | { type: 'user.signed_in_elsewhere'; payload: { userId: string } }
  | { type: 'user.erased'; payload: { userId: string; partnerId: string } };

/** An event of the identity service. It is stored by the write that causes it and published afterwards. */
export type IdentityEvent = EventContent & {
  /** UUID; consumers drop events that they have seen. */
  id: string;
  at: Date;
};

/** Gives an event its id and time. */
export const newEvent = ({ newId, now }: Pick<Runtime, 'newId' | 'now'>, content: EventContent): IdentityEvent => ({
  ...content,
  id: newId(),
  at: now(),
});
