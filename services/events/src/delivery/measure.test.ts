import { createMetrics } from '@florin/rpc/metrics';
import { describe, expect, it } from 'vitest';
import { measureAttempts, measureDeliveries } from './measure.ts';

describe('the metrics of deliveries', () => {
  it('are attempts by outcome, their durations, and what a deliverer has to do', async () => {
    const metrics = createMetrics();
    const { attempted, postponed } = measureAttempts(metrics);
    for (const status of [200, 202, 302, 500, 0]) attempted({ status, durationMs: 70 });
    postponed();
    const endpoints = { working: 3, failing: 1, down: 2, paused: 4, disabled: 5 };
    measureDeliveries(metrics, () => ({ shards: 32, endpoints, parked: 7, lagMs: 1500 }));
    const { body } = await metrics.text();
    const lines = body.split('\n').filter((line) => line.startsWith('florin_webhook') && !line.includes('_bucket'));
    expect(lines.sort()).toEqual([
      'florin_webhook_attempt_seconds_count 5',
      'florin_webhook_attempt_seconds_sum 0.35000000000000003',
      'florin_webhook_attempts_total{outcome="delivered"} 2',
      'florin_webhook_attempts_total{outcome="postponed"} 1',
      'florin_webhook_attempts_total{outcome="rejected"} 2',
      'florin_webhook_attempts_total{outcome="unanswered"} 1',
      'florin_webhook_endpoints{state="disabled"} 5',
      'florin_webhook_endpoints{state="down"} 2',
      'florin_webhook_endpoints{state="failing"} 1',
      'florin_webhook_endpoints{state="paused"} 4',
      'florin_webhook_endpoints{state="working"} 3',
      'florin_webhook_lag_seconds 1.5',
      'florin_webhook_parked_subjects 7',
      'florin_webhook_shards 64',
      'florin_webhook_shards_owned 32',
    ]);
  });
});
