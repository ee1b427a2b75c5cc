export { fetchRevocations, type RevocationSource, type RevokedSessionsDocument } from './document.ts';
export { followRevocations } from './follow-revocations.ts';
export { publishRevocations } from './stream.ts';
