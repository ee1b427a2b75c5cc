import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { toWord } from '../../schemas/fields.ts';
import { KYC_STATUS, kycStatus } from '../../schemas/kyc.ts';

const STATUS = {
  [OnboardingStatus.ACTION_ACCEPT_TOS]: 'action_accept_tos',
  [OnboardingStatus.ACTION_COMPLETE_KYC]: 'action_complete_kyc',
  [OnboardingStatus.KYC_IN_REVIEW]: 'kyc_in_review',
  [OnboardingStatus.ACTION_KYC_RESUBMISSION]: 'action_kyc_resubmission',
  [OnboardingStatus.ACTION_COMPLETE_SOF]: 'action_complete_sof',
  [OnboardingStatus.ACCOUNT_PROVISIONING]: 'account_provisioning',
  [OnboardingStatus.COMPLETED]: 'completed',
  [OnboardingStatus.REJECTED]: 'rejected',
} as const;

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
        status: z.enum(Object.values(STATUS)),
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
      status: toWord(STATUS, answer.status),
      ...(answer.url === '' ? {} : { url: answer.url }),
      kycStatus: toWord(KYC_STATUS, answer.kycStatus),
    };
  },
});
