import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { LedgerAccounts } from '../clients/ledger-accounts.ts';
import { type OnboardingMode, type OnboardingProgress, openRequirement } from '../domain/onboarding.ts';
import { answerAll, type Question } from '../domain/source-of-funds.ts';
import { areAccepted, type Term, termStates } from '../domain/terms.ts';
import type { User } from '../domain/user.ts';
import type { FundsAnswerStore } from '../store/funds-answers.ts';
import type { OnboardingMark, OnboardingMarkStore } from '../store/onboarding-marks.ts';
import type { TermAcceptanceStore } from '../store/term-acceptances.ts';
import type { UserStore } from '../store/users.ts';

export type OnboardingParts = {
  mode: OnboardingMode;
  terms: readonly Term[];
  questions: readonly Question[];
  acceptances: TermAcceptanceStore;
  fundsAnswers: FundsAnswerStore;
  users: UserStore;
  marks: OnboardingMarkStore;
  ledger: Pick<LedgerAccounts, 'activate'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
};

type Request = { requestId: string };

export type Onboarding = {
  /** What the user has done so far. */
  progressOf: (user: Pick<User, 'id' | 'kycStatus'>) => Promise<OnboardingProgress>;
  /**
   * Makes a change that may have been the last thing to do, and activates the account when it was. A killed process, or a ledger that
   * is away, leaves the activation to the sweeper; the change itself stands.
   */
  advance: <T>(userId: string, call: Request & { logger: Logger }, change: () => Promise<T>) => Promise<T>;
  /**
   * Activates the marked user's account when nothing is left to do, and removes the mark.
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT; the mark stays then
   */
  settle: (mark: Pick<OnboardingMark, 'id' | 'userId'>, request: Request) => Promise<void>;
};

export const createOnboarding = (parts: OnboardingParts): Onboarding => {
  const { mode, terms, questions, acceptances, fundsAnswers, users, marks, ledger, runtime } = parts;

  const progressOf: Onboarding['progressOf'] = async ({ id, kycStatus }) => {
    const [accepted, funds] = await Promise.all([acceptances.listOf(id), fundsAnswers.latestOf(id)]);
    return {
      termsAccepted: areAccepted(termStates(terms, accepted)),
      kyc: kycStatus,
      fundsExplained: answerAll(questions, funds?.answers ?? []),
    };
  };

  const settle: Onboarding['settle'] = async ({ id, userId }, request) => {
    const user = await users.find(userId);
    if (user === undefined) throw new CodedError('USER_NOT_FOUND');
    // An account that was blocked or closed stays so: nothing is left to do here.
    if (openRequirement(mode, await progressOf(user)) === undefined) await ledger.activate(user.accountId, request);
    await marks.remove(id);
  };

  return {
    progressOf,
    settle,
    advance: async (userId, { requestId, logger }, change) => {
      if (mode === 'open') return change();
      const mark = { id: runtime.newId(), userId, at: runtime.now() };
      await marks.add(mark);
      const result = await change();
      await settle(mark, { requestId }).catch((err: unknown) => logger.warn({ err, userId }, 'activation is left to the sweeper'));
      return result;
    },
  };
};
