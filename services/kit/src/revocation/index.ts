export {
  fetchRevocations,
  MAX_PUBLISHED_REVOCATIONS,
  REVOKED_SESSIONS_PATH,
  type RevocationSource,
  type RevokedSessionsDocument,
} from './document.ts';
export { followRevocations } from './follow-revocations.ts';
export { publishRevocations, REVOKED_SESSIONS_STREAM } from './stream.ts';
