import type { Queue } from '@florin/back-office/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { poll, queueCountsQuery } from './queries.ts';

/** Reads a list anew, which keeps no session alive, when the queue of its items has another revision. */
export const useFresh = (queue: Queue, list: readonly string[]): void => {
  const revision = useQuery(queueCountsQuery).data?.queues.find((one) => one.queue === queue)?.revision;
  const seen = useRef(revision);
  useEffect(() => {
    if (seen.current !== undefined && revision !== undefined && seen.current !== revision) {
      void poll([...list]);
    }
    seen.current = revision ?? seen.current;
  });
};
