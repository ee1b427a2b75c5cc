export { type DerivedKeys, deriveKeys, readIdempotencyKey } from './keys.ts';
export { createIdempotencyRecords, type IdempotencyRecords } from './records.ts';
