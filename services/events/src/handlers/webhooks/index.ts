import type { ServiceImplementation } from '@florin/rpc/server';
import type { WebhookDependencies } from './dependencies.ts';
import { webhookEndpointService } from './webhook-endpoint-service.ts';

/** Implementation of the contract that manages webhook endpoints. */
export const webhookImplementation = (dependencies: WebhookDependencies): ServiceImplementation => webhookEndpointService(dependencies);
