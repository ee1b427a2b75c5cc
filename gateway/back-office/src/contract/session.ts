import { z } from 'zod';
import { id, personName, reason, time } from './fields.ts';
import { PERMISSIONS, ROLES } from './roles.ts';

const role = z.enum(ROLES);

/** `GET /api/sign-in`: how one can sign in. */
export const signInMethods = z.object({
  /** True if there is an operator at all; if not, the process has printed a link for the first one. */
  hasOperators: z.boolean(),
  /** Name of the OpenID provider whose `GET /sign-in/oidc` starts a sign-in; absent without one. */
  oidc: z.object({ name: z.string() }).optional(),
});
export type SignInMethods = z.output<typeof signInMethods>;

/**
 * The question to a passkey: `options` is PublicKeyCredentialRequestOptionsJSON, or PublicKeyCredentialCreationOptionsJSON for an enrolment
 * (Web Authentication, level 3), for `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON`.
 */
export const ceremony = z.object({ ceremonyId: z.string(), options: z.record(z.string(), z.unknown()) });
export type Ceremony = z.output<typeof ceremony>;

/** The result of `PublicKeyCredential.toJSON`, with the fields that are read before its verification. Ids of credentials have at most 1023 bytes. */
const credential = z.looseObject({
  id: z.string().min(1).max(1364),
  response: z.looseObject({ transports: z.array(z.string().max(32)).max(16).optional() }),
});

/** The answer of a passkey. */
export const ceremonyAnswer = z.strictObject({ ceremonyId: z.string().min(1).max(100), response: credential });

/** `POST /api/enrolment/options`: the secret of a link, which is the fragment of its URL. */
export const enrolmentStart = z.strictObject({ token: z.string().min(1).max(100) });
export const enrolmentOptions = ceremony.extend({ email: z.string(), roles: z.array(role), expiresAt: time });
export type EnrolmentOptions = z.output<typeof enrolmentOptions>;

/** `POST /api/enrolment`: creates the operator, or adds a passkey to the one whom the link names, and signs in. */
export const enrolment = z.strictObject({ ...enrolmentStart.shape, ...ceremonyAnswer.shape, name: personName });

/** `GET /api/session`, and the answer to every sign-in. */
export const session = z.object({
  operator: z.object({ id, email: z.string(), name: z.string(), roles: z.array(role) }),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** When the session ends unless it is used before. */
  idleExpiresAt: time,
  /** When it ends in any case. */
  expiresAt: time,
  /** Until when actions that move money are allowed; absent before `POST /api/session/step-up`. */
  steppedUpUntil: time.optional(),
});
export type Session = z.output<typeof session>;

/** A passkey of an operator. */
export const passkey = z.object({
  /** 32 hexadecimal digits. */
  id: z.string(),
  /** As its operator calls it; absent before it was named. */
  name: z.string().optional(),
  createdAt: time,
  /** When it last answered; absent before it has. */
  lastUsedAt: time.optional(),
});
export type Passkey = z.output<typeof passkey>;

/** A person at the OpenID provider. */
export const providerPerson = z.object({ issuer: z.string(), subject: z.string() });

/** `GET /api/session/passkeys`: oldest first. */
export const passkeys = z.object({
  passkeys: z.array(passkey),
  /** The operator's identity at the OpenID provider; absent before `POST /api/session/provider`. */
  provider: providerPerson.optional(),
});
export type Passkeys = z.output<typeof passkeys>;

/** `POST /api/session/passkeys/{passkeyId}/name`. */
export const passkeyNameBody = z.strictObject({ name: personName });

/** `POST /api/session/provider`: where the browser goes to be linked to a person at the OpenID provider. */
export const providerLink = z.object({ url: z.url() });
export type ProviderLink = z.output<typeof providerLink>;

/** `GET /api/session/sessions`: the sessions of the operator, newest first. */
export const ownSession = z.object({
  /** 32 hexadecimal digits; another one after a confirmation. */
  id: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
  /** The credential that it was begun with. */
  by: z.enum(['passkey', 'provider']),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
});
export type OwnSession = z.output<typeof ownSession>;
export const ownSessions = z.object({ sessions: z.array(ownSession) });

/** `GET /api/operators`. */
export const operator = z.object({
  id,
  email: z.string(),
  name: z.string(),
  roles: z.array(role),
  status: z.enum(['active', 'disabled']),
  passkeys: z.array(passkey),
  provider: providerPerson.optional(),
  createdAt: time,
  lastSignInAt: time.optional(),
});
export type Operator = z.output<typeof operator>;
export const operators = z.object({ operators: z.array(operator) });

/** `POST /api/operators/invitations`. */
export const invitationBody = z.strictObject({
  email: z.email().max(254).toLowerCase(),
  roles: z.array(role).min(1).max(ROLES.length),
  reason,
});
export const invitation = z.object({
  /** The link, which is shown this once. It works once. */
  url: z.url(),
  expiresAt: time,
  /** True if it works only once another administrator has approved it. */
  waits: z.boolean(),
});
export type Invitation = z.output<typeof invitation>;

/** `POST /api/operators/{operatorId}/roles`: the roles that an operator keeps; without one, the account waits for a link. */
export const rolesBody = z.strictObject({ roles: z.array(role).max(ROLES.length), reason });

/** `GET /api/operators/invitations`: the links that nobody has used, newest first. */
export const openInvitation = z.object({
  /** 64 hexadecimal digits. */
  id: z.string(),
  email: z.string(),
  roles: z.array(role),
  /** Absent for one of the command line. */
  invitedBy: z.object({ id, name: z.string() }).optional(),
  expiresAt: time,
  /** True if it waits for another administrator. */
  waits: z.boolean(),
});
export type OpenInvitation = z.output<typeof openInvitation>;
export const openInvitations = z.object({ invitations: z.array(openInvitation) });
