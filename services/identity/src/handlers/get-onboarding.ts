import { type GetOnboardingRequest, OnboardingStatus as Wire } from '@florin/proto/identity/v1/onboarding_service';
import type { Logger } from '@florin/rpc/observe';
import { userMethod } from '@florin/rpc/server';
import { awaitsPerson } from '../domain/kyc.ts';
import { type OnboardingStatus, onboardingStatus } from '../domain/onboarding.ts';
import type { User } from '../domain/user.ts';
import { type Dependencies, requireUser } from './dependencies.ts';
import { KYC_STATUS } from './to-wire.ts';

const STATUS: Readonly<Record<OnboardingStatus, Wire>> = {
  ACTION_ACCEPT_TOS: Wire.ACTION_ACCEPT_TOS,
  ACTION_COMPLETE_KYC: Wire.ACTION_COMPLETE_KYC,
  KYC_IN_REVIEW: Wire.KYC_IN_REVIEW,
  ACTION_KYC_RESUBMISSION: Wire.ACTION_KYC_RESUBMISSION,
  ACTION_COMPLETE_SOF: Wire.ACTION_COMPLETE_SOF,
  REJECTED: Wire.REJECTED,
  ACCOUNT_PROVISIONING: Wire.ACCOUNT_PROVISIONING,
  COMPLETED: Wire.COMPLETED,
};

const ASKS_FOR_PAGE: ReadonlySet<OnboardingStatus> = new Set(['ACTION_COMPLETE_KYC', 'ACTION_KYC_RESUBMISSION']);

type Parts = Pick<Dependencies, 'users' | 'onboarding' | 'onboardingMode' | 'ledger' | 'kycSessions'>;

/** @throws CodedError USER_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export const getOnboarding = ({ users, onboarding, onboardingMode, ledger, kycSessions }: Parts) => {
  /** A provider that is away must not hide what has to be done. */
  const pageOf = async (user: User, logger: Logger): Promise<string> => {
    if (!awaitsPerson(user.kycStatus)) return '';
    const session = await kycSessions.open(user).catch((err: unknown) => logger.warn({ err }, 'no page of the KYC provider'));
    return session?.url ?? '';
  };

  return userMethod(async (_request: GetOnboardingRequest, { caller, requestId, logger }) => {
    const user = requireUser(await users.find(caller.userId));
    const [progress, accountWaits] = await Promise.all([onboarding.progressOf(user), ledger.isWaiting(user.accountId, { requestId })]);
    let status = onboardingStatus(onboardingMode, progress, accountWaits);
    // Also after a change of the configuration, of which nobody told the account.
    if (status === 'ACCOUNT_PROVISIONING' && (await ledger.activate(user.accountId, { requestId }))) status = 'COMPLETED';
    const url = ASKS_FOR_PAGE.has(status) ? await pageOf(user, logger) : '';
    return { status: STATUS[status], url, kycStatus: KYC_STATUS[user.kycStatus] };
  });
};
