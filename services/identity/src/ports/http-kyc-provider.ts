import { uuidSchema } from '@florin/rpc/fields';
import type { JsonHttp } from '@florin/rpc/json-http';
import { z } from 'zod';
import type { KycProvider } from './kyc-provider.ts';

const profileSchema = z.object({ profileId: uuidSchema });

const sessionSchema = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2048),
  expiresAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
});

/**
 * A provider that takes `POST /profiles` with the user's id as Idempotency-Key and answers `{profileId}`, and takes
 * `POST /profiles/{profileId}/sessions` and answers `{url, expiresAt}` (ISO 8601).
 */
export const createHttpKycProvider = (http: JsonHttp): KycProvider => ({
  createProfile: async ({ userId, email, shareToken }) => {
    const body = { userId, email, ...(shareToken === undefined ? {} : { shareToken }) };
    return profileSchema.parse(await http.post('/profiles', body, { 'idempotency-key': userId })).profileId;
  },
  createSession: async (profileId) => sessionSchema.parse(await http.post(`/profiles/${profileId}/sessions`, {})),
});
