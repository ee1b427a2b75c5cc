import {
  type GetOnboardingRequest,
  type GetRequirementsRequest,
  OnboardingService,
  OnboardingStep,
  OnboardingStatus as Wire,
} from '@florin/proto/identity/v1/onboarding_service';
import { createWords } from '@florin/rpc/contract';
import type { Logger } from '@florin/rpc/observe';
import { implement, publicMethod, type ServiceImplementation, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { awaitsPerson } from '../domain/kyc.ts';
import { type OnboardingStatus, onboardingStatus } from '../domain/onboarding.ts';
import type { User } from '../domain/user.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { KYC_STATUSES } from './to-wire.ts';

const STATUSES = createWords(Wire);

const NEEDS_PAGE: ReadonlySet<OnboardingStatus> = new Set(['action_complete_kyc', 'action_kyc_resubmission']);

/** @throws CodedError USER_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
const getOnboarding = ({ users, onboarding, onboardingMode, ledger, kycSessions }: Dependencies) => {
  /** A failure of the provider must not hide the status. */
  const pageOf = async (user: User, logger: Logger): Promise<string> => {
    if (!awaitsPerson(user.kycStatus)) return '';
    const session = await kycSessions.open(user).catch((err: unknown) => logger.warn({ err }, 'opening a page of the KYC provider failed'));
    return session?.url ?? '';
  };

  return userOrServiceMethod(async (request: GetOnboardingRequest, { caller, requestId, logger }) => {
    const user = requireUser(await users.find(userOfCall(request, caller)));
    const [progress, accountWaits] = await Promise.all([onboarding.progressOf(user), ledger.isWaiting(user.accountId, { requestId })]);
    let status = onboardingStatus(onboardingMode, progress, accountWaits);
    // The account may still wait after a change of configuration.
    if (status === 'account_provisioning' && (await onboarding.settleNow(user.id, { requestId }))) status = 'completed';
    // The page is the person's own.
    const url = NEEDS_PAGE.has(status) && caller.kind !== 'service' ? await pageOf(user, logger) : '';
    return { status: STATUSES.toValue(status), url, kycStatus: KYC_STATUSES.toValue(user.kycStatus) };
  });
};

/** In the order in which `onboardingStatus` asks for them. */
const STEPS = [OnboardingStep.TERMS, OnboardingStep.KYC, OnboardingStep.SOURCE_OF_FUNDS];

/** Returns what this deployment asks of every new user. */
const getRequirements = ({ onboardingMode, contractWallets }: Dependencies) =>
  publicMethod((_request: GetRequirementsRequest) => ({ steps: onboardingMode === 'kyc' ? STEPS : [], contractWallets }));

/** Implementation of the contract `OnboardingService`. */
export const onboardingService = (dependencies: Dependencies): ServiceImplementation =>
  implement(OnboardingService, { getOnboarding: getOnboarding(dependencies), getRequirements: getRequirements(dependencies) });
