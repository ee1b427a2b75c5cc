import type { KycState } from './kyc.ts';

/** `open`: an account is active after registration. `kyc`: only after terms, identity check and source of funds. */
export type OnboardingMode = 'open' | 'kyc';

/** A user's progress so far. */
export type OnboardingProgress = {
  /** True if the current version of every document is accepted. */
  termsAccepted: boolean;
  kyc: KycState;
  /** True if the provider took an approval back. */
  kycRevoked: boolean;
  /** True if every question about the source of funds is answered. */
  fundsExplained: boolean;
};

/** The next step of a user, or the decision that the user waits for. */
export type OnboardingStatus =
  | 'action_accept_tos'
  | 'action_complete_kyc'
  | 'kyc_in_review'
  | 'action_kyc_resubmission'
  | 'action_complete_sof'
  | 'rejected'
  | 'account_provisioning'
  | 'completed';

const STATUS_OF_KYC: Readonly<Record<KycState, OnboardingStatus | undefined>> = {
  not_started: 'action_complete_kyc',
  documents_requested: 'action_complete_kyc',
  pending: 'kyc_in_review',
  in_review: 'kyc_in_review',
  resubmission_requested: 'action_kyc_resubmission',
  rejected: 'rejected',
  approved: undefined,
};

/** Reports whether the identity check bars the user from an active account in both modes. */
const isBarred = ({ kyc, kycRevoked }: OnboardingProgress): boolean => kyc === 'rejected' || (kycRevoked && kyc !== 'approved');

/**
 * The first open requirement, in the order in which users meet them; undefined when there is none. An identity check that bars the
 * user comes before everything else, in both modes.
 */
const openRequirement = (mode: OnboardingMode, progress: OnboardingProgress): OnboardingStatus | undefined => {
  if (isBarred(progress)) return STATUS_OF_KYC[progress.kyc];
  if (mode === 'open') return undefined;
  if (!progress.termsAccepted) return 'action_accept_tos';
  return STATUS_OF_KYC[progress.kyc] ?? (progress.fundsExplained ? undefined : 'action_complete_sof');
};

/**
 * The user's onboarding status. New terms do not deactivate an account that is active. An account that is blocked or closed reports
 * that in its own status, not here.
 */
export const onboardingStatus = (mode: OnboardingMode, progress: OnboardingProgress, accountWaits: boolean): OnboardingStatus =>
  openRequirement(mode, progress) ?? (accountWaits ? 'account_provisioning' : 'completed');

/** The change that the account of a user with this progress needs. */
export type AccountAction = 'activate' | 'block' | 'leave';

/** An open requirement alone does not block an account that is active; a check that bars the user does. */
export const accountAction = (mode: OnboardingMode, progress: OnboardingProgress): AccountAction => {
  if (isBarred(progress)) return 'block';
  return openRequirement(mode, progress) === undefined ? 'activate' : 'leave';
};
