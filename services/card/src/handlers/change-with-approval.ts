import { requireRecentSignIn, type UserCaller } from '@florin/rpc/auth';
import type { Logger } from '@florin/rpc/observe';
import type { Card } from '../domain/card.ts';
import type { ApprovedChange } from '../domain/change-facts.ts';
import type { Dependencies } from './dependencies.ts';
import { requireLive } from './own-card.ts';

type Change<T> = ApprovedChange & {
  /** The signature of a wallet over the change; empty if there is none. */
  approval: string;
  /** Names the use of the approval: a repeat with the same name succeeds until the change is made. */
  use: string;
  /** The mail to the user about the change. Default of `id`: a new one. */
  notice: { id?: string; kind: Parameters<Dependencies['notices']['tell']>[0]['kind'] };
  /** Makes the change if it needs no approval, or finds that it is made. @returns undefined if it needs one */
  attempt: () => Promise<T | undefined>;
  /** Makes the change, which is approved. */
  make: () => Promise<T>;
};

/**
 * Makes a change of a cardholder's card. One that lets the card pay what it did not needs a live card, a recent sign-in and the approval of a wallet, and is
 * told to the user before it is made.
 * @throws CodedError CARD_STATE_CONFLICT, REAUTHENTICATION_REQUIRED, as `ApprovalsClient.withApproval`, and what `attempt` and `make` throw
 */
export const changeWithApproval = async <T>(
  { approvals, notices, runtime }: Pick<Dependencies, 'approvals' | 'notices' | 'runtime'>,
  card: Card,
  { notice, attempt, make, ...change }: Change<T>,
  call: { caller: UserCaller; token: string; requestId: string; logger: Logger },
): Promise<T> => {
  const made = await attempt();
  if (made !== undefined) return made;
  requireLive(card, runtime.now());
  requireRecentSignIn(call.caller, runtime.now());
  const tellAndMake = async (): Promise<T> => {
    await notices.tell({ id: notice.id ?? runtime.newId(), kind: notice.kind, last4: card.last4 }, call);
    return make();
  };
  return approvals.withApproval(card, { ...change, make: tellAndMake }, call).catch(async (error: unknown) => {
    // A repeat at the same time may have made the change meanwhile, and with that have used the approval up.
    const again = await attempt();
    if (again === undefined) throw error;
    return again;
  });
};
