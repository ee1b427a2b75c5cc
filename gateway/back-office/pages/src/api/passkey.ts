import type { Ceremony } from '@florin/back-office/contract';
import { OfficeError } from './http.ts';

/** A person closed the browser's window, or it waited too long; browsers do not tell which. */
const explain = (cause: unknown): never => {
  const name = cause instanceof DOMException ? cause.name : '';
  const codes: Readonly<Record<string, string>> = { NotAllowedError: 'PASSKEY_CANCELLED', InvalidStateError: 'PASSKEY_EXISTS' };
  throw new OfficeError(codes[name] ?? 'PASSKEY_FAILED', 'the passkey gave no answer', { cause });
};

const toAnswer = (ceremonyId: string, credential: Credential | null) => {
  if (!(credential instanceof PublicKeyCredential)) throw new OfficeError('PASSKEY_FAILED', 'the passkey gave no answer');
  return { ceremonyId, response: credential.toJSON() };
};

/** Asks for a passkey that exists. @throws OfficeError PASSKEY_CANCELLED, PASSKEY_FAILED */
export const askPasskey = async ({ ceremonyId, options }: Ceremony) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  return toAnswer(ceremonyId, await navigator.credentials.get({ publicKey }).catch(explain));
};

/** Makes a passkey. @throws OfficeError PASSKEY_CANCELLED, PASSKEY_EXISTS, PASSKEY_FAILED */
export const makePasskey = async ({ ceremonyId, options }: Ceremony) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON);
  return toAnswer(ceremonyId, await navigator.credentials.create({ publicKey }).catch(explain));
};
