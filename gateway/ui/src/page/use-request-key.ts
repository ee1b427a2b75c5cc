import { useRef } from 'react';

/**
 * The Idempotency-Key of what a form will send: the same for the same content until it has succeeded, so that a person who presses again after a
 * lost answer gets one card, not two.
 */
export const useRequestKey = () => {
  const last = useRef<{ content: string; key: string }>(undefined);
  return {
    keyOf: (content: unknown): string => {
      const text = JSON.stringify(content);
      if (last.current?.content !== text) last.current = { content: text, key: crypto.randomUUID() };
      return last.current.key;
    },
    done: () => {
      last.current = undefined;
    },
  };
};
