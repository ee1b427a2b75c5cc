import { type GetRequirementsRequest, OnboardingStep } from '@florin/proto/identity/v1/onboarding_service';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** In the order in which `onboardingStatus` asks for them. */
const STEPS = [OnboardingStep.TERMS, OnboardingStep.KYC, OnboardingStep.SOURCE_OF_FUNDS];

/** Returns what this deployment asks of every new user. */
export const getRequirements = ({ onboardingMode, contractWallets }: Dependencies) =>
  publicMethod((_request: GetRequirementsRequest) => ({ steps: onboardingMode === 'kyc' ? STEPS : [], contractWallets }));
