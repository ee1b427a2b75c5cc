export { type DerivedKeys, deriveKeys, type KeyScope, readIdempotencyKey } from './keys.ts';
export { type Claim, createIdempotencyRecords, type IdempotencyRecords } from './records.ts';
