import type { ListWebhookKeysRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { publicMethod } from '@florin/rpc/server';
import type { WebhookDependencies } from './dependencies.ts';

/** Publishes the keys of the signatures `v1a`. */
export const listWebhookKeys = ({ keys }: WebhookDependencies) =>
  publicMethod(async (_request: ListWebhookKeysRequest) => ({ jwksJson: JSON.stringify(await keys.published()) }));
