import type { Amount } from '@florin/rpc/money';
import { amountsOf, type MatchingParts, recordExceptionIdOf } from './match-settlement.ts';

/** A movement on the bank account that nothing explains, in the minor unit, above zero if it was received; zero: it is explained. */
export type Unexplained = { source: string; recordId: string; amount: Amount; currency: string };

/**
 * Raises an exception for each movement, and resolves those of movements that are explained, in their order. Safe to repeat: what a person has decided stands.
 * @throws CodedError SERVICE_UNAVAILABLE
 */
export const raiseUnexplained = async (
  { exceptions, program, runtime }: Pick<MatchingParts, 'exceptions' | 'program' | 'runtime'>,
  movements: readonly Unexplained[],
): Promise<void> => {
  for (const { source, recordId, amount, currency } of movements) {
    const kind = 'unexplained_movement';
    const id = recordExceptionIdOf(source, recordId, kind);
    if (amount === 0n) await exceptions.resolve(id, { by: 'settlement', note: 'explained by a correction', at: runtime.now() });
    else
      await exceptions.raise({
        ...{ id, kind, processor: source, eventId: recordId, eventType: '', cardId: '' },
        ...amountsOf({ amount, currency }, program),
      });
  }
};
