import type { Metrics } from '@florin/rpc/metrics';
import type { ChainWatch } from './chain-watch.ts';

/** Declares the metrics of the watched chains. */
export const measureWatches = (metrics: Metrics, watches: readonly ChainWatch[]): void => {
  const all = () => watches.map(({ status }) => status());
  const inState = (state: string) => () => all().filter((status) => status.state === state).length;
  metrics.gauge('florin_chain_watches', 'Chains that are watched', () => watches.length);
  metrics.gauge('florin_chain_watches_waiting', 'Chains on which nothing can be booked at present', inState('waiting'));
  metrics.gauge('florin_chain_watches_halted', 'Chains that wait for the decision of an operator', inState('halted'));
  metrics.gauge('florin_chain_blocks_behind', 'Finalized blocks that are not booked yet, of the chain with the most', () =>
    Math.max(0, ...all().map(({ finalized, cursor }) => finalized - (cursor?.number ?? finalized))),
  );
};
