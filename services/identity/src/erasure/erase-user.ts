import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { PersonalDataClient } from '../clients/personal-data.ts';
import { type Erasure, isErased } from '../domain/erasure.ts';
import { newEvent } from '../domain/events.ts';
import type { SandboxOutbox } from '../ports/sandbox-outbox.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ClaimStore } from '../store/claims.ts';
import type { ErasureStore } from '../store/erasures.ts';
import type { RegistrationStore } from '../store/registrations.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { TermAcceptanceStore } from '../store/term-acceptances.ts';
import type { UserStore } from '../store/users.ts';

/** Dependencies of the saga. Every call to them may fail, hang or be killed. */
export type ErasureParts = {
  erasures: ErasureStore;
  users: Pick<UserStore, 'find' | 'beginErasure' | 'findErasing' | 'erase'>;
  registrations: Pick<RegistrationStore, 'removeOf'>;
  sessions: Pick<Sessions, 'endAllOf'>;
  sessionStore: Pick<SessionStore, 'forgetOrigins'>;
  acceptances: Pick<TermAcceptanceStore, 'forgetIps'>;
  emailClaims: Pick<ClaimStore, 'releaseAllOf'>;
  walletClaims: Pick<ClaimStore, 'releaseAllOf'>;
  /** Absent outside the sandbox. */
  outbox?: Pick<SandboxOutbox, 'forget'>;
  personalData: PersonalDataClient;
  runtime: Pick<Runtime, 'now' | 'newId'>;
  /** Time for which the e-mail address and the wallets cannot register again. */
  claimsKeptMs: number;
};

export type ErasureOrder = { userId: string; includeBlocked: boolean; requestId: string };

/** Time after which an unfinished erasure counts as left behind by a killed process. */
export const LEFT_BEHIND_MS = 30_000;

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['USER_HAS_BALANCE', 'USER_HAS_OPEN_HOLDS', 'USER_IS_BLOCKED']);

const isRefusal = (error: unknown): boolean => error instanceof CodedError && REFUSALS.has(error.code);

/** requested → closed. The ledger decides about a payment or a deposit at the same time; when it refuses, nothing was changed. */
const closeStep = async ({ erasures, personalData }: ErasureParts, seen: Erasure, order: ErasureOrder): Promise<void> => {
  try {
    await personalData.closeAccount(seen.userId, seen.includeBlocked, order);
  } catch (error) {
    if (isRefusal(error)) await erasures.withdraw(seen.userId, seen.attempt);
    throw error;
  }
};

/** Ends signing in as the user, then the user's sessions. @returns what is left of the user; undefined once erased */
const endSessions = async ({ users, sessions }: ErasureParts, userId: string) => {
  await users.beginErasure(userId);
  const user = await users.findErasing(userId);
  if (user === undefined) return undefined;
  const wallets = user.wallets.map(({ address }) => address);
  const { readEmail, partnerId } = user;
  for (const wallet of wallets) await sessions.endAllOf({ wallet, partnerId }, `erasure:${userId}`);
  return { readEmail, wallets, partnerId };
};

/** ended → erased: the data, of which the wallets are needed until the end. */
const eraseStep = async (parts: ErasureParts, { userId }: Erasure): Promise<void> => {
  const { users, sessionStore, registrations, acceptances, outbox, runtime } = parts;
  // An earlier release had not ended them at this step.
  const user = await endSessions(parts, userId);
  if (user === undefined) return;
  const { readEmail, wallets, partnerId } = user;
  await sessionStore.forgetOrigins(wallets, partnerId);
  await acceptances.forgetIps(userId);
  await registrations.removeOf(userId, wallets);
  const email = outbox && readEmail();
  if (email !== undefined) await outbox?.forget(email);
  await users.erase(userId, runtime.now(), newEvent(runtime, { type: 'user.erased', payload: { userId, partnerId } }));
};

/** Takes an erasure from the step that it is at to `erased`. */
export const resumeErasure = async (parts: ErasureParts, erasure: Erasure, order: ErasureOrder): Promise<void> => {
  const { erasures, personalData, runtime, claimsKeptMs } = parts;
  const leftBehind = (): Date => new Date(runtime.now().getTime() + LEFT_BEHIND_MS);
  let seen = erasure;
  if (seen.step === 'requested') {
    await closeStep(parts, seen, order);
    await erasures.advance(seen, 'closed', leftBehind());
    seen = { ...seen, step: 'closed' };
  }
  if (seen.step === 'closed') {
    // Sessions first: with one, a browser would be registered for notifications behind the erasure.
    await endSessions(parts, seen.userId);
    await personalData.eraseElsewhere(seen.userId, order);
    await erasures.advance(seen, 'ended', leftBehind());
    seen = { ...seen, step: 'ended' };
  }
  if (seen.step === 'ended') {
    await eraseStep(parts, seen);
    const erasedAt = runtime.now();
    const releaseAt = new Date(erasedAt.getTime() + claimsKeptMs);
    await erasures.advance(seen, 'erased', releaseAt, { erasedAt, releaseAt });
  }
};

/**
 * erased → released: the e-mail address and the wallets may register again. Data that a token has left in a service which had not heard of its end is erased
 * here: no token lives as long.
 */
export const releaseClaims = async (parts: ErasureParts, seen: Erasure): Promise<void> => {
  const { erasures, emailClaims, walletClaims, personalData, runtime } = parts;
  await personalData.eraseElsewhere(seen.userId, { requestId: runtime.newId() });
  await emailClaims.releaseAllOf(seen.userId);
  await walletClaims.releaseAllOf(seen.userId);
  await erasures.advance(seen, 'released', undefined);
};

/**
 * Erases a user, or resumes the erasure of a killed call. Concurrent calls do the same work, of which every step can be repeated.
 * @returns the erasure, erased or released
 * @throws CodedError USER_NOT_FOUND, USER_HAS_OPEN_CHALLENGES, USER_HAS_OPEN_DISPUTES, USER_HAS_RECENT_PAYMENTS, USER_HAS_BALANCE,
 * USER_HAS_OPEN_HOLDS, USER_IS_BLOCKED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const eraseUser = async (parts: ErasureParts, order: ErasureOrder): Promise<Erasure> => {
  const { erasures, users, personalData, runtime } = parts;
  const { userId, includeBlocked } = order;
  const earlier = await erasures.find(userId);
  if (earlier !== undefined && isErased(earlier)) return earlier;
  if (earlier === undefined || earlier.step === 'requested') {
    if ((await users.find(userId)) === undefined) throw new CodedError('USER_NOT_FOUND');
    await personalData.check(userId, order);
  }
  const now = runtime.now();
  const fresh: Erasure = { userId, step: 'requested', attempt: runtime.newId(), includeBlocked, requestedAt: now };
  await resumeErasure(parts, await erasures.begin(fresh, new Date(now.getTime() + LEFT_BEHIND_MS)), order);
  const done = await erasures.find(userId);
  if (done === undefined || !isErased(done))
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the erasure changed during the call' });
  return done;
};
