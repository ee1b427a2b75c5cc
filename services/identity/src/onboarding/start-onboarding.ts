import { ConfigError } from '@florin/rpc/config';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import type { IdentityConfig } from '../config.ts';
import type { OnboardingMode } from '../domain/onboarding.ts';
import { SANDBOX_TERMS, type Term } from '../domain/terms.ts';
import { createReceiveKycEvent } from '../kyc/receive-event.ts';
import { createTakeKycBack } from '../kyc/take-back.ts';
import type { Stores } from '../store/open-stores.ts';
import { createOnboarding } from './onboarding.ts';
import { startOnboardingSweeper } from './sweeper.ts';

/** @throws ConfigError when users outside the sandbox would have to accept the examples */
const termsOf = ({ TERMS, ONBOARDING, SANDBOX }: IdentityConfig): readonly Term[] => {
  if (TERMS === undefined && ONBOARDING === 'kyc' && !SANDBOX) throw new ConfigError('TERMS: is required with ONBOARDING=kyc');
  return TERMS ?? SANDBOX_TERMS;
};

/** @throws ConfigError when ONBOARDING is not set outside the sandbox */
export const onboardingModeOf = ({ ONBOARDING, SANDBOX }: Pick<IdentityConfig, 'ONBOARDING' | 'SANDBOX'>): OnboardingMode => {
  if (ONBOARDING === undefined && !SANDBOX) throw new ConfigError('ONBOARDING: is required with SANDBOX=false');
  return ONBOARDING ?? 'open';
};

type Parts = {
  config: IdentityConfig;
  mode: OnboardingMode;
  stores: Stores;
  ledger: LedgerAccountsClient;
  runtime: Runtime;
  logger: Logger;
  /** Called after a change that left an event in the outbox. */
  onPublish: () => void;
};

/** Wires onboarding: its rules, the events of the KYC provider, and the sweeper. @throws ConfigError */
export const startOnboarding = ({ config, mode, stores, ledger, runtime, logger, onPublish }: Parts) => {
  const { users, marks, acceptances, fundsAnswers, kycStandings } = stores;
  const terms = termsOf(config);
  const questions = config.SOURCE_OF_FUNDS;
  const onboarding = createOnboarding({ mode, terms, questions, acceptances, fundsAnswers, users, marks, ledger, runtime });
  const { close } = startOnboardingSweeper({ marks, onboarding, runtime, logger });
  return {
    terms,
    questions,
    onboarding,
    onboardingMode: mode,
    receiveKycEvent: createReceiveKycEvent({ standings: kycStandings, onboarding, runtime, onPublish }),
    takeBack: createTakeKycBack({ standings: kycStandings, onboarding, runtime, onPublish }),
    close,
  };
};
