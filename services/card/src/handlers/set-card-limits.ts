import type { SetCardLimitsRequest } from '@florin/proto/card/v1/payment_service';
import { stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { seriesOf } from '../domain/card.ts';
import { limitsChange } from '../domain/change-facts.ts';
import { LIMIT_NAMES, type LimitName, type Limits, raises } from '../domain/limits.ts';
import type { Program } from '../domain/program.ts';
import { changeWithApproval } from './change-with-approval.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { readSpending } from './to-wire-spending.ts';

/** The limits by the names of their fields in the contract. */
const NAME_OF: Readonly<Record<string, LimitName>> = {
  per_transaction: 'perTransaction',
  daily: 'daily',
  weekly: 'weekly',
  monthly: 'monthly',
  atm: 'atm',
};

/** The limits that a request names, and those of them that it sets. @throws CodedError LIMIT_ABOVE_PROGRAM */
export const readNewLimits = (request: Pick<SetCardLimitsRequest, 'limits' | 'changed'>, program: Program) => {
  const given = stated(request.limits);
  const named = new Set(request.changed.length === 0 ? LIMIT_NAMES : request.changed.map((name) => stated(NAME_OF[name])));
  const wanted: { -readonly [name in keyof Limits]: Limits[name] } = {};
  for (const name of LIMIT_NAMES) {
    if (!named.has(name) || given[name] === '') continue;
    const [limit, most] = [BigInt(given[name]), program.limits[name]];
    if (most !== undefined && limit > most) throw new CodedError('LIMIT_ABOVE_PROGRAM', { metadata: { field: name, limit: `${most}` } });
    wanted[name] = limit;
  }
  return { named, wanted };
};

/**
 * Replaces the cardholder's limits of a card, or those that the request names: a limit of zero permits nothing, an empty text sets none. Raising one requires
 * a recent sign-in and the signature of a wallet, and is told to the user.
 */
export const setCardLimits = (dependencies: Dependencies) => {
  const { cards, book, program } = dependencies;
  return userMethod(async (request: SetCardLimitsRequest, call) => {
    const { approval } = request;
    const card = await findOwnCard(cards, request.cardId, call.caller);
    const { named, wanted } = readNewLimits(request, program);
    const set = (mayRaise: boolean): Promise<true | undefined> =>
      book.change(seriesOf(card), (current) => {
        const kept = Object.entries(current.limits).filter(([name]) => !named.has(name as LimitName));
        const limits: Limits = { ...Object.fromEntries(kept), ...wanted };
        return mayRaise || !raises(current.limits, limits)
          ? { spending: { ...current, limits }, result: true as const }
          : { spending: current, result: undefined };
      });
    const change = { ...limitsChange(named, wanted, program), approval, use: 'set', notice: { kind: 'LIMITS_RAISING' } } as const;
    await changeWithApproval(dependencies, card, { ...change, attempt: () => set(false), make: () => set(true) }, call);
    return { limits: (await readSpending(dependencies, card)).limits };
  });
};
