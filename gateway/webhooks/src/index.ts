export { WebhookError, type WebhookErrorCode } from './errors.ts';
export {
  type Checkpoint,
  type Event,
  type EventOf,
  type EventTypeName,
  isCheckpoint,
  isEvent,
  isEventOf,
  type Message,
  type Transfer,
} from './events.ts';
export { createFeedChecker, type FeedChecker, type FeedCheckerOptions, type FeedState, type Gap, type Taken } from './feed-checker.ts';
export { type KeySource, type PublicJwk, publishedKeys } from './published-keys.ts';
export { createWebhookVerifier, type Delivery, type HeaderSource, type VerifierOptions, type VerifyWebhook } from './verifier.ts';
