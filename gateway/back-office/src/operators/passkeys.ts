import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Ceremony } from '../contract/index.ts';
import type { OnceStore, StoredCeremony } from '../store/once.ts';
import type { Operator, OperatorStore, Passkey } from '../store/operators.ts';
import { newSecret } from './secrets.ts';

/** How long a passkey may take to answer. */
const CEREMONY_MS = 5 * 60_000;

/** The error for a passkey that does not fit. */
export const REFUSED = (cause?: unknown): CodedError => new CodedError('UNAUTHORIZED', { message: 'the passkey was not accepted', cause });

type Answered = { ceremonyId: string; response: Readonly<Record<string, unknown>> & { id: string } };

/** For whom a passkey is made. */
export type NewOwner = { id: string; email: string; name: string; passkeys: readonly Passkey[] };

/**
 * Passkeys (Web Authentication, level 3): the authenticator must verify its user, keeps the credential itself, and proves nothing about its maker. A
 * question is answered once.
 */
export const createPasskeys = ({
  once,
  operators,
  runtime,
  origin,
}: {
  once: OnceStore;
  operators: OperatorStore;
  runtime: Pick<Runtime, 'now' | 'randomBytes'>;
  origin: string;
}) => {
  const rpID = new URL(origin).hostname;

  const ask = async (purpose: StoredCeremony['purpose'], options: { challenge: string }, operatorId?: string): Promise<Ceremony> => {
    const ceremonyId = newSecret(runtime);
    const expiresAt = new Date(runtime.now().getTime() + CEREMONY_MS);
    const owner = operatorId === undefined ? {} : { operatorId };
    await once.addCeremony({ _id: ceremonyId, purpose, challenge: options.challenge, expiresAt, ...owner });
    return { ceremonyId, options: { ...options } };
  };

  const take = async (purpose: StoredCeremony['purpose'], ceremonyId: string, operatorId?: string): Promise<string> => {
    const ceremony = await once.takeCeremony(ceremonyId, purpose, runtime.now());
    if (ceremony === null || ceremony.operatorId !== operatorId) throw REFUSED();
    return ceremony.challenge;
  };

  /** The library's errors are about the response, never about the process. */
  const verified = async <T extends { verified: boolean }>(verification: Promise<T>): Promise<T> => {
    const result = await verification.catch((error: unknown) => {
      throw REFUSED(error);
    });
    if (!result.verified) throw REFUSED();
    return result;
  };

  const askFor = async (purpose: 'sign-in' | 'confirm', operator?: Operator): Promise<Ceremony> => {
    const known = operator?.passkeys.map(({ id, transports }) => ({ id, transports: transports as never[] }));
    const options = await generateAuthenticationOptions({
      rpID,
      userVerification: 'required',
      timeout: CEREMONY_MS,
      ...(known === undefined ? {} : { allowCredentials: known }),
    });
    return ask(purpose, options, operator?._id);
  };

  /** @returns the operator whose passkey has answered, and the id of its credential. @throws CodedError UNAUTHORIZED */
  const answerTo = async (
    purpose: 'sign-in' | 'confirm',
    { ceremonyId, response }: Answered,
    expected?: Operator,
  ): Promise<{ operator: Operator; passkeyId: string }> => {
    const expectedChallenge = await take(purpose, ceremonyId, expected?._id);
    const { id: passkeyId } = response;
    const operator = await operators.findByPasskey(passkeyId);
    const passkey = operator?.passkeys.find(({ id }) => id === passkeyId);
    if (passkey === undefined || operator?.status !== 'active') throw REFUSED();
    if (expected !== undefined && operator._id !== expected._id) throw REFUSED();
    const { authenticationInfo } = await verified(
      verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        credential: { id: passkey.id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.counter },
      }),
    );
    const { newCounter } = authenticationInfo;
    if (!(await operators.useCounter(operator._id, passkey.id, passkey.counter, newCounter, runtime.now()))) throw REFUSED();
    return { operator, passkeyId };
  };

  const askNew = async (purpose: 'enrol' | 'add-passkey', owner: NewOwner): Promise<Ceremony> => {
    const options = await generateRegistrationOptions({
      rpName: 'Florin back office',
      rpID,
      userName: owner.email,
      userDisplayName: owner.name,
      userID: new Uint8Array(Buffer.from(owner.id)),
      timeout: CEREMONY_MS,
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: owner.passkeys.map(({ id }) => ({ id })),
    });
    return ask(purpose, options, owner.id);
  };

  /** @returns the passkey that was made for the owner. @throws CodedError UNAUTHORIZED */
  const answerNew = async (purpose: 'enrol' | 'add-passkey', { ceremonyId, response }: Answered, ownerId: string): Promise<Passkey> => {
    const expectedChallenge = await take(purpose, ceremonyId, ownerId);
    const { registrationInfo } = await verified(
      verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }),
    );
    const credential = registrationInfo?.credential;
    // An id is chosen by who answers: with another operator's, that one would not be recognized any more (Web Authentication, section 7.1, step 26).
    if (credential === undefined || (await operators.findByPasskey(credential.id)) !== null) throw REFUSED();
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: [...(credential.transports ?? [])],
      createdAt: runtime.now(),
    };
  };

  return { askFor, answerTo, askNew, answerNew };
};

export type Passkeys = ReturnType<typeof createPasskeys>;
