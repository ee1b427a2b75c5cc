import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';
import { parseTypes } from '../../domain/type-filter.ts';
import type { Settings } from '../../endpoints/manage.ts';
import { partnerIdSchema } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';

/** Names an endpoint. */
export const endpointFields = { endpointId: uuidSchema, partnerId: partnerIdSchema };

/** The fields that the owner sets. */
export const settingsFields = {
  url: z.string().min(1).max(4000),
  types: z.array(z.string().min(1).max(64)).max(100),
  description: z.string().max(200),
  contactEmail: z.union([z.literal(''), z.email('must be an e-mail address').max(254)]),
};

/** A secret that the owner brings; its form has an error of its own. */
export const secretField = z.string().max(200);

/** Checks what the owner sets. @throws CodedError WEBHOOK_URL_FORBIDDEN, EVENT_TYPE_UNKNOWN */
export const settingsOf = (
  { parseUrl }: Pick<WebhookDependencies, 'parseUrl'>,
  { url, types, description, contactEmail }: Settings,
): Settings => {
  parseTypes(types);
  return { url: parseUrl(url), types, description, contactEmail };
};
