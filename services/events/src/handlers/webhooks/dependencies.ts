import type { Runtime } from '@florin/rpc/runtime';
import type { ChangeEndpoints } from '../../endpoints/change.ts';
import type { ManageEndpoints } from '../../endpoints/manage.ts';
import type { SigningKeys } from '../../endpoints/signing-keys.ts';
import type { Page, ReadOptions } from '../../reading/read-feed.ts';
import type { BlockStore } from '../../store/blocks.ts';
import type { WebhookAttemptStore } from '../../store/webhook-attempts.ts';
import type { WebhookEndpointStore } from '../../store/webhook-endpoints.ts';
import type { WebhookProgressStore } from '../../store/webhook-progress.ts';

/** Everything that the handlers of webhook endpoints use. */
export type WebhookDependencies = {
  endpoints: Pick<WebhookEndpointStore, 'find' | 'findByIds' | 'findDisabled'>;
  change: ChangeEndpoints;
  manage: ManageEndpoints;
  progress: Pick<WebhookProgressStore, 'find' | 'failing'>;
  attempts: Pick<WebhookAttemptStore, 'list'>;
  keys: Pick<SigningKeys, 'published'>;
  read: (options: ReadOptions) => Promise<Page>;
  blocks: Pick<BlockStore, 'sequenceOf'>;
  /** Checks a URL and returns its normal form. @throws CodedError WEBHOOK_URL_FORBIDDEN */
  parseUrl: (text: string) => string;
  runtime: Pick<Runtime, 'now'>;
};
