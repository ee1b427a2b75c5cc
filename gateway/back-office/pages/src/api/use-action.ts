import type { ActionDone } from '@florin/back-office/contract';
import { useRequestKey } from '@florin/ui/page/use-request-key.ts';
import { useMutation } from '@tanstack/react-query';
import { ask, OfficeError } from './http.ts';
import { queries } from './queries.ts';
import { confirmedIfAsked, isConfirmed, stepUp } from './session.ts';

export type Action = {
  path: string;
  /** True if the process wants the operator confirmed. */
  confirms?: boolean;
  /** First words of the reads that it changes. */
  touches: readonly (readonly string[])[];
  onDone: (done: ActionDone) => void;
};

const refresh = (keys: Action['touches']) => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));

/** An answer that nothing was done: another attempt is another action. */
const isRefusal = (error: unknown): boolean => error instanceof OfficeError && error.status >= 400 && error.status < 500;

/**
 * Does something once: the same content has the same Idempotency-Key until it has succeeded or was refused, also when who is here has to be confirmed in
 * between.
 */
export const useAction = ({ path, confirms = false, touches, onDone }: Action) => {
  const { keyOf, done } = useRequestKey();
  return useMutation({
    mutationFn: async (body: object) => {
      const send = () => ask<ActionDone>('POST', path, { body, key: keyOf({ path, body }) });
      if (confirms && !isConfirmed(Date.now())) await stepUp();
      return confirmedIfAsked(send);
    },
    onSuccess: async (answer) => {
      done();
      await refresh(touches);
      onDone(answer);
    },
    onError: (error) => {
      if (isRefusal(error)) done();
      // An order that fails has changed too.
      void refresh(touches);
    },
    // Every action is in the audit log, whatever became of it.
    onSettled: () => refresh([['audit']]),
  });
};
