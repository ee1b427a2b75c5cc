import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { disableWebhookEndpoint, enableWebhookEndpoint } from './change-state.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { listWebhookAttempts } from './list-webhook-attempts.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { listWebhookKeys } from './list-webhook-keys.ts';
import { redeliverWebhookEvent } from './redeliver-webhook-event.ts';
import { replayWebhookEvents } from './replay-webhook-events.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { sendTestWebhookEvent } from './send-test-webhook-event.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';

/** Implementation of the contract that manages webhook endpoints. */
export const webhookImplementation = (dependencies: WebhookDependencies): ServiceImplementation =>
  implement(WebhookEndpointService, {
    createWebhookEndpoint: createWebhookEndpoint(dependencies),
    getWebhookEndpoint: getWebhookEndpoint(dependencies),
    listWebhookEndpoints: listWebhookEndpoints(dependencies),
    updateWebhookEndpoint: updateWebhookEndpoint(dependencies),
    deleteWebhookEndpoint: deleteWebhookEndpoint(dependencies),
    rotateWebhookSecret: rotateWebhookSecret(dependencies),
    enableWebhookEndpoint: enableWebhookEndpoint(dependencies),
    disableWebhookEndpoint: disableWebhookEndpoint(dependencies),
    replayWebhookEvents: replayWebhookEvents(dependencies),
    redeliverWebhookEvent: redeliverWebhookEvent(dependencies),
    sendTestWebhookEvent: sendTestWebhookEvent(dependencies),
    listWebhookAttempts: listWebhookAttempts(dependencies),
    listWebhookKeys: listWebhookKeys(dependencies),
  });
