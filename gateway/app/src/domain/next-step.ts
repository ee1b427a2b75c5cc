/** The platform's knowledge of the person; undefined is not known yet. */
export type Situation = Readonly<{
  session: 'none' | 'wallet' | 'user';
  onboarding?: string | undefined;
  account?: string | undefined;
  /** State of the Safe on its chain; undefined where none is deployed. */
  deployment?: { status: string; findings: readonly string[] } | undefined;
  cards?: number | undefined;
  /** True if the wallet can name a backup key, has not done it, and the person has not put it off. */
  lacksBackup?: boolean;
}>;

/**
 * The one thing to do, or to wait for, before the app is of use:
 * - `sign_in`: no session
 * - `register`: the wallet signed in, and belongs to nobody yet
 * - `terms`, `identity`, `identity_again`, `funds`: a step of the onboarding
 * - `set_up`: the wallet signs that the platform may set the account up on its chain
 * - `identity_waits`, `account_waits`: nothing to do but wait
 * - `rejected`, `blocked`, `closed`: the end of the way; support can help
 * - `backup_key`: the account is set up, and a lost wallet would be final
 * - `order_card`: everything is done, and there is no card
 * - `ready`: nothing to do
 */
export type NextStep =
  | 'sign_in'
  | 'register'
  | 'terms'
  | 'identity'
  | 'identity_again'
  | 'identity_waits'
  | 'funds'
  | 'set_up'
  | 'account_waits'
  | 'rejected'
  | 'blocked'
  | 'closed'
  | 'backup_key'
  | 'order_card'
  | 'ready';

const OF_ONBOARDING: Readonly<Record<string, NextStep>> = {
  action_accept_tos: 'terms',
  action_complete_kyc: 'identity',
  kyc_in_review: 'identity_waits',
  action_kyc_resubmission: 'identity_again',
  action_complete_sof: 'funds',
  account_provisioning: 'account_waits',
  rejected: 'rejected',
};

/** Safes that wait for a signature: those that do not exist yet, and those that are not what an account needs. */
const TO_SIGN = new Set(['predicted', 'deviating']);

const stepOf = (onboarding: string, deployment: Situation['deployment']): NextStep | undefined => {
  const step = OF_ONBOARDING[onboarding];
  const isUpToAccount = step === undefined || step === 'account_waits';
  if (!isUpToAccount || deployment === undefined || !TO_SIGN.has(deployment.status)) return step;
  // No set-up makes such a Safe what an account needs.
  return deployment.findings.includes('history_differs') ? 'blocked' : 'set_up';
};

/** @returns undefined while too little is known to tell */
export const nextStep = ({ session, onboarding, account, deployment, cards, lacksBackup = false }: Situation): NextStep | undefined => {
  if (session === 'none') return 'sign_in';
  if (session === 'wallet') return 'register';
  if (onboarding === undefined || account === undefined) return undefined;
  if (account === 'blocked' || account === 'closed') return account;
  const step = stepOf(onboarding, deployment);
  // New terms and questions do not stop an account that is active; a rejection does, and its account is blocked or about to be.
  if (step !== undefined && (account !== 'active' || step === 'rejected')) return step;
  if (account !== 'active') return 'account_waits';
  if (cards === undefined) return undefined;
  if (cards > 0) return 'ready';
  return lacksBackup ? 'backup_key' : 'order_card';
};

/** Steps that a person sees as a list, in order. */
export const JOURNEY = ['register', 'terms', 'identity', 'funds', 'order_card'] as const;
type Milestone = (typeof JOURNEY)[number];

const MILESTONE_OF: Partial<Record<NextStep, Milestone>> = {
  register: 'register',
  terms: 'terms',
  identity: 'identity',
  identity_again: 'identity',
  identity_waits: 'identity',
  funds: 'funds',
  set_up: 'order_card',
  account_waits: 'order_card',
  backup_key: 'order_card',
  order_card: 'order_card',
};

/** Where on the list a step is; undefined for a step that is not on it. */
export const milestoneOf = (step: NextStep): Milestone | undefined => MILESTONE_OF[step];
