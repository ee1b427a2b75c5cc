import type { AuthorizeRequest } from '@florin/proto/card/v1/processor_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import { within } from '@florin/rpc/time';
import { fromTokenAmount } from '../domain/program.ts';
import type { DecidedRequest } from '../payments/decide-request.ts';
import type { Dependencies } from './dependencies.ts';
import { readRequest, requireTransaction, toAuthentication, toChecks } from './event-fields.ts';
import { toWireDecision } from './to-wire-payment.ts';

/** Time that the available balance may add to an answer. */
const AVAILABLE_MS = 200;

/** The available balance after an approval, where the request asks for it. */
export const availableAfter = async (
  { holds, program }: Pick<Dependencies, 'holds' | 'program'>,
  { includeAvailable }: { includeAvailable: boolean },
  { payment, event }: DecidedRequest,
): Promise<{ availableAmount?: string }> => {
  if (!includeAvailable || event.decision.decline !== undefined) return {};
  const left = await within(AVAILABLE_MS, holds.available(payment.accountId, program.token.symbol)).catch(() => undefined);
  return left === undefined ? {} : { availableAmount: fromTokenAmount(program, left).toString() };
};

/** Decides on a payment and holds its money. */
export const authorize = ({ deciding, holds, program }: Dependencies) =>
  serviceMethod(async (request: AuthorizeRequest, { caller, logger }) => {
    requireTransaction(request);
    const { atm, partialApproval, singleMessage, cashBackAmount } = request;
    const event = readRequest(request);
    const cashBack = cashBackAmount === '' ? undefined : BigInt(cashBackAmount);
    requireFields({ cash_back_amount: (cashBack ?? 0n) > (event.money?.amount ?? 0n) ? 'must be at most the amount' : undefined });
    const input = {
      processor: caller.name,
      type: 'authorization' as const,
      ...event,
      checks: toChecks(request.checks),
      ...toAuthentication(request),
      atm,
      partialApproval,
      singleMessage,
      cashBack,
    };
    const decided = await deciding.decide(input, logger);
    return {
      decision: { ...toWireDecision(decided.payment, decided.event), ...(await availableAfter({ holds, program }, request, decided)) },
    };
  });
