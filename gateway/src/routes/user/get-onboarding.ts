import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { kycStatus, toKycStatus } from '../../schemas/kyc.ts';
import { wordsOf } from '../../schemas/words.ts';

const onboardingStatus = wordsOf(OnboardingStatus);

/** The response may include a call to the KYC provider, which has a deadline of four seconds. */
const TIMEOUT_MS = 10_000;

export const getOnboarding = defineRoute({
  operationId: 'getOnboarding',
  method: 'get',
  path: '/user/onboarding',
  tag: 'User',
  summary: 'Get the onboarding status',
  description: 'Returns the next step of the onboarding.',
  policy: 'user',
  answers: {
    200: z
      .object({
        status: onboardingStatus.schema,
        url: z
          .string()
          .optional()
          .meta({ description: 'Page of the KYC provider; present if the status requires one and the provider has one' }),
        kycStatus,
      })
      .meta({ id: 'Onboarding' }),
  },
  errors: ['USER_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const answer = await upstream.onboarding.getOnboarding({}, { ...asCaller, timeoutMs: TIMEOUT_MS });
    return {
      status: onboardingStatus.toWord(answer.status),
      ...(answer.url === '' ? {} : { url: answer.url }),
      kycStatus: toKycStatus(answer.kycStatus),
    };
  },
});
