import type { Term as WireTerm } from '@florin/proto/identity/v1/terms';
import { z } from 'zod';
import { dateTime } from './fields.ts';

export const term = z
  .object({
    type: z.string().meta({ description: 'Stable identifier of the document', examples: ['general'] }),
    name: z.string(),
    url: z.string().meta({ description: 'URL of the current version' }),
    currentVersion: z.string(),
  })
  .meta({ id: 'Term' });

export const userTerm = term
  .extend({
    accepted: z.boolean().meta({ description: 'True if the caller has accepted the current version' }),
    acceptedVersion: z.string().optional().meta({ description: 'The version that the caller accepted last' }),
    acceptedAt: dateTime.optional(),
  })
  .meta({ id: 'UserTerm' });

export const toTerm = ({ type, name, url, currentVersion }: WireTerm): z.output<typeof term> => ({ type, name, url, currentVersion });
