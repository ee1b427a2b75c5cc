import { uuidSchema } from '@florin/kit/fields';
import type { JsonHttp } from '@florin/kit/json-http';
import { z } from 'zod';
import type { KycProvider } from './kyc-provider.ts';

const answerSchema = z.object({ profileId: uuidSchema });

/** A provider that takes `POST /profiles` with the user's id as Idempotency-Key and answers `{profileId}`. */
export const createHttpKycProvider = (http: JsonHttp): KycProvider => ({
  createProfile: async ({ userId, email, shareToken }) => {
    const body = { userId, email, ...(shareToken === undefined ? {} : { shareToken }) };
    return answerSchema.parse(await http.post('/profiles', body, { 'idempotency-key': userId })).profileId;
  },
});
