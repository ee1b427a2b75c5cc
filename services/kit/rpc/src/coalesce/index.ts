export { type CoalesceOptions, createCoalescer } from './coalesce.ts';
export { type CoalescedReadsOptions, createCoalescedReads } from './coalesced-reads.ts';
