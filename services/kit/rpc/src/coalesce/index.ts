export { type CoalesceOptions, createCoalescer, SHARED_REST_MS, SHARED_SPACING_MS } from './coalesce.ts';
export { type CoalescedReadsOptions, createCoalescedReads } from './coalesced-reads.ts';
