import { requireFields } from '@florin/rpc/contract';
import { z } from 'zod';
import { parseTypes } from '../../domain/type-filter.ts';
import type { Settings } from '../../endpoints/manage.ts';
import type { WebhookDependencies } from './dependencies.ts';

const emailSchema = z.email();

type Parts = Pick<WebhookDependencies, 'parseUrl'>;

/** Checks what the owner sets. @throws CodedError WEBHOOK_URL_FORBIDDEN, EVENT_TYPE_UNKNOWN, VALIDATION_FAILED */
export const settingsOf = ({ parseUrl }: Parts, { url, types, description, contactEmail, dataVersion = 0 }: Settings): Settings => {
  const isEmail = contactEmail === '' || emailSchema.safeParse(contactEmail).success;
  requireFields({ contact_email: isEmail ? undefined : 'must be an e-mail address' });
  parseTypes(types);
  return { url: parseUrl(url), types, description, contactEmail, ...(dataVersion === 0 ? {} : { dataVersion }) };
};

/** The settings by the names of their fields in the contract. */
const NAME_OF: Readonly<Record<string, keyof Settings>> = {
  url: 'url',
  types: 'types',
  description: 'description',
  contact_email: 'contactEmail',
  data_version: 'dataVersion',
};

/** Checks what the owner changes: all settings, or those that a request names. @throws CodedError as settingsOf */
export const changedSettingsOf = (parts: Parts, request: Settings & { changed: readonly string[] }): Partial<Settings> => {
  const { changed } = request;
  if (changed.length === 0) return settingsOf(parts, request);
  // Its own normal form takes the place of a URL that stays, to which it is not applied.
  const parseUrl = changed.includes('url') ? parts.parseUrl : (url: string) => url;
  const settings = settingsOf({ parseUrl }, request);
  const names = new Set(changed.map((name) => NAME_OF[name]));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.has(name as keyof Settings)));
};
