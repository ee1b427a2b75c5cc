import { requireFields } from '@florin/rpc/contract';
import { z } from 'zod';
import { parseTypes } from '../../domain/type-filter.ts';
import type { Settings } from '../../endpoints/manage.ts';
import type { WebhookDependencies } from './dependencies.ts';

const emailSchema = z.email();

/** Checks what the owner sets. @throws CodedError WEBHOOK_URL_FORBIDDEN, EVENT_TYPE_UNKNOWN, VALIDATION_FAILED */
export const settingsOf = (
  { parseUrl }: Pick<WebhookDependencies, 'parseUrl'>,
  { url, types, description, contactEmail, dataVersion = 0 }: Settings,
): Settings => {
  const isEmail = contactEmail === '' || emailSchema.safeParse(contactEmail).success;
  requireFields({ contact_email: isEmail ? undefined : 'must be an e-mail address' });
  parseTypes(types);
  return { url: parseUrl(url), types, description, contactEmail, ...(dataVersion === 0 ? {} : { dataVersion }) };
};
