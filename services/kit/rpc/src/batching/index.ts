export { type BatchOptions, createBatch } from './batch.ts';
export { createBatchedReads } from './batched-reads.ts';
