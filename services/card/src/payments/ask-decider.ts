import type { Logger } from '@florin/rpc/observe';
import type { DeclineCode } from '../domain/decline-codes.ts';
import type { Program } from '../domain/program.ts';
import type { AuthorizationDecider } from '../ports/authorization-decider.ts';
import type { Deadline } from './deadline.ts';
import type { EventInput } from './event-input.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** Time that an external decider has, in milliseconds. */
const DECIDER_MS = 700;

/** Time that is kept for the hold. */
const HOLD_MS = 200;

type DeciderParts = { decider: AuthorizationDecider | undefined; program: Program; logger: Logger };

/** Asks the external decider, if there is one. Without a verdict in time the program's fallback applies: a decline above its amount. */
export const createDeciderQuestion = ({ decider, program, logger }: DeciderParts) => {
  return async (
    { facts, event }: PreparedEvent,
    { merchant, entryMode, atm }: EventInput,
    deadline: Deadline,
  ): Promise<DeclineCode | undefined> => {
    if (decider === undefined) return undefined;
    const billing = event.billing ?? 0n;
    const request = {
      paymentId: facts.id,
      eventId: event.id,
      cardId: facts.cardId,
      accountId: facts.accountId,
      type: event.type === 'increment' ? ('increment' as const) : ('authorization' as const),
      amount: String(event.amount ?? 0n),
      currency: event.currency ?? program.currency,
      billingAmount: billing.toString(),
      billingCurrency: program.currency,
      atm: atm === true,
      ...(merchant === undefined ? {} : { merchant }),
      ...(entryMode === undefined ? {} : { entryMode }),
    };
    try {
      const timeoutMs = Math.max(1, Math.min(DECIDER_MS, deadline.remainingMs() - HOLD_MS));
      const verdict = await decider.decide(request, timeoutMs);
      if (verdict === 'approve') return undefined;
      return verdict === 'decline' ? 'declined_by_issuer' : 'suspected_fraud';
    } catch (err) {
      logger.warn({ err, paymentId: facts.id }, 'the external decider returned no verdict, its fallback applies');
      return billing <= program.decider.fallback.approveUpTo ? undefined : 'declined_by_issuer';
    }
  };
};

export type VerdictSource = ReturnType<typeof createDeciderQuestion>;
