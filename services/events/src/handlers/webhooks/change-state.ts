import type { DisableWebhookEndpointRequest, EnableWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import type { ServiceCaller } from '@florin/rpc/auth';
import { serviceMethod } from '@florin/rpc/server';
import { type Change, disabling, enabling, endpointOf } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireEndpoint } from './to-wire.ts';

/** Changes an endpoint that a request names. @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
const changing =
  (dependencies: WebhookDependencies, changeOf: (id: string) => Change) =>
  async (request: EnableWebhookEndpointRequest | DisableWebhookEndpointRequest, { caller }: { caller: ServiceCaller }) => {
    const { endpointId, partnerId } = request;
    const feed = feedOf(caller, partnerId);
    const { after } = await dependencies.change(feed, changeOf(endpointId));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpointOf(after, endpointId)) };
  };

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
export const enableWebhookEndpoint = (dependencies: WebhookDependencies) => {
  const enable = changing(dependencies, enabling);
  return serviceMethod((request: EnableWebhookEndpointRequest, call) => enable(request, call));
};

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
export const disableWebhookEndpoint = (dependencies: WebhookDependencies) => {
  const disable = changing(dependencies, (id) => disabling(id, 'requested', dependencies.runtime.now()));
  return serviceMethod((request: DisableWebhookEndpointRequest, call) => disable(request, call));
};
