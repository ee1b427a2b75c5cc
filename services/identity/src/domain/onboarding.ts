import type { KycState } from './kyc.ts';

/** `open`: an account works at once. `kyc`: only after terms, identity check and source of funds. */
export type OnboardingMode = 'open' | 'kyc';

/** What a person has done. */
export type OnboardingProgress = {
  /** Whether the current version of every document is accepted. */
  termsAccepted: boolean;
  kyc: KycState;
  /** Whether every question about the source of funds is answered. */
  fundsExplained: boolean;
};

/** What a person has to do, or to wait for, next. */
export type OnboardingStatus =
  | 'ACTION_ACCEPT_TOS'
  | 'ACTION_COMPLETE_KYC'
  | 'KYC_IN_REVIEW'
  | 'ACTION_KYC_RESUBMISSION'
  | 'ACTION_COMPLETE_SOF'
  | 'REJECTED'
  | 'ACCOUNT_PROVISIONING'
  | 'COMPLETED';

const OF_KYC: Readonly<Record<KycState, OnboardingStatus | undefined>> = {
  NOT_STARTED: 'ACTION_COMPLETE_KYC',
  DOCUMENTS_REQUESTED: 'ACTION_COMPLETE_KYC',
  PENDING: 'KYC_IN_REVIEW',
  IN_REVIEW: 'KYC_IN_REVIEW',
  RESUBMISSION_REQUESTED: 'ACTION_KYC_RESUBMISSION',
  REJECTED: 'REJECTED',
  APPROVED: undefined,
};

/** What is left of the requirements, in the order in which it is asked for; undefined when nothing is. A rejection is said first. */
export const openRequirement = (mode: OnboardingMode, progress: OnboardingProgress): OnboardingStatus | undefined => {
  if (mode === 'open') return undefined;
  if (progress.kyc === 'REJECTED') return 'REJECTED';
  if (!progress.termsAccepted) return 'ACTION_ACCEPT_TOS';
  return OF_KYC[progress.kyc] ?? (progress.fundsExplained ? undefined : 'ACTION_COMPLETE_SOF');
};

/**
 * The one status out of everything. An account that works goes on working when new terms have to be accepted; one that was blocked
 * or closed has its own status and says nothing about onboarding.
 */
export const onboardingStatus = (mode: OnboardingMode, progress: OnboardingProgress, accountWaits: boolean): OnboardingStatus =>
  openRequirement(mode, progress) ?? (accountWaits ? 'ACCOUNT_PROVISIONING' : 'COMPLETED');
