import type { Metrics } from '@florin/rpc/metrics';
import type { Reconciling } from './start-reconciling.ts';

/** Declares the metrics of the continuous comparison. */
export const measureReconciling = (metrics: Metrics, { open, sweepAgeSeconds }: Pick<Reconciling, 'open' | 'sweepAgeSeconds'>): void => {
  metrics.gauge('florin_chain_balance_differences', 'Balances on the chain that differ from the ledger', open);
  metrics.gauge(
    'florin_chain_reconciled_age_seconds',
    'Seconds since all accounts had been compared with the chain; -1 before that',
    () => sweepAgeSeconds() ?? -1,
  );
};
