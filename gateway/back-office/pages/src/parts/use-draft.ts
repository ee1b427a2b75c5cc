import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../api/session.ts';

/** Texts that operators have typed and not sent, while the page is open. */
const drafts = new Map<string, string>();

export type Draft = {
  text: string;
  change: (text: string) => void;
  /** To be called once it was sent, or is not to be. */
  drop: () => void;
};

/**
 * A text that is there again when a session ends, or a dialog is closed, before it is sent, for the same operator.
 * @param name what it is typed for
 * @param initial the text of which there is no draft
 */
export const useDraft = (name: string, initial = ''): Draft => {
  const key = `${useQuery(sessionQuery).data?.operator.id} ${name}`;
  const [text, setText] = useState(() => drafts.get(key) ?? initial);
  return {
    text,
    change: (typed) => {
      drafts.set(key, typed);
      setText(typed);
    },
    drop: () => void drafts.delete(key),
  };
};
