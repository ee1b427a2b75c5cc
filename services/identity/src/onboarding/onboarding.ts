import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import { type AccountAction, accountAction, type OnboardingMode, type OnboardingProgress } from '../domain/onboarding.ts';
import { coversQuestions, type Question } from '../domain/source-of-funds.ts';
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
  ledger: Pick<LedgerAccountsClient, 'activate' | 'block'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
};

type Request = { requestId: string };
type Call = Request & { logger: Logger };

export type Onboarding = {
  /** The user's progress so far. */
  progressOf: (user: Pick<User, 'id' | 'kycStatus' | 'kycRevokedAt'>) => Promise<OnboardingProgress>;
  /** Runs a change to terms or source of funds, then `settle`s the account. Does nothing else with ONBOARDING=open. */
  advance: <T>(userId: string, call: Call, change: () => Promise<T>) => Promise<T>;
  /** Runs a change to the identity check, then `settle`s the account. */
  advanceCheck: <T>(userId: string, call: Call, change: () => Promise<T>) => Promise<T>;
  /**
   * Activates or blocks the account of a marked user, as the user's progress demands, and removes the mark. After a kill, or while the
   * ledger is unavailable, the mark stays and the sweeper settles the account.
   * @returns whether the account is active
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  settle: (mark: Pick<OnboardingMark, 'id' | 'userId'>, request: Request) => Promise<boolean>;
  /** Marks a user and `settle`s the account. */
  settleNow: (userId: string, request: Request) => Promise<boolean>;
};

export const createOnboarding = (parts: OnboardingParts): Onboarding => {
  const { mode, terms, questions, acceptances, fundsAnswers, users, marks, ledger, runtime } = parts;

  const progressOf: Onboarding['progressOf'] = async ({ id, kycStatus, kycRevokedAt }) => {
    const [accepted, funds] = await Promise.all([acceptances.listOf(id), fundsAnswers.latestOf(id)]);
    return {
      termsAccepted: areAccepted(termStates(terms, accepted)),
      kyc: kycStatus,
      kycRevoked: kycRevokedAt !== undefined,
      fundsExplained: coversQuestions(questions, funds?.answers ?? []),
    };
  };

  const actionFor = async (userId: string): Promise<{ accountId: string; action: AccountAction } | undefined> => {
    const user = await users.find(userId);
    return user === undefined ? undefined : { accountId: user.accountId, action: accountAction(mode, await progressOf(user)) };
  };

  const apply = async (userId: string, request: Request): Promise<boolean> => {
    const due = await actionFor(userId);
    // The account of an erased user is closed, and a change was ordered for somebody who never was.
    if (due === undefined) return false;
    const { accountId, action } = due;
    if (action === 'block') await ledger.block(accountId, request);
    if (action !== 'activate') return false;
    const isActive = await ledger.activate(accountId, request);
    // An event that bars the user may have found the account still in provisioning, where it cannot be blocked.
    if ((await actionFor(userId))?.action !== 'block') return isActive;
    await ledger.block(accountId, request);
    return false;
  };

  const settle: Onboarding['settle'] = async ({ id, userId }, request) => {
    const isActive = await apply(userId, request);
    await marks.remove(id);
    return isActive;
  };

  const addMark = async (userId: string): Promise<OnboardingMark> => {
    const added = { id: runtime.newId(), userId, at: runtime.now() };
    await marks.add(added);
    return added;
  };

  const advanceCheck: Onboarding['advanceCheck'] = async (userId, { requestId, logger }, change) => {
    const marked = await addMark(userId);
    const result = await change();
    await settle(marked, { requestId }).catch((err: unknown) =>
      logger.warn({ err, userId }, 'settling the account failed, the sweeper will retry'),
    );
    return result;
  };

  return {
    progressOf,
    settle,
    settleNow: async (userId, request) => settle(await addMark(userId), request),
    advanceCheck,
    advance: (userId, call, change) => (mode === 'open' ? change() : advanceCheck(userId, call, change)),
  };
};
