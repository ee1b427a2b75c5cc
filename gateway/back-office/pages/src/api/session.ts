import type { Ceremony, ProviderLink, Session } from '@florin/back-office/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, hasCode, whenUnauthorized } from './http.ts';
import { askPasskey, makePasskey } from './passkey.ts';
import { passkeysQuery, queries } from './queries.ts';

export type Permission = Session['permissions'][number];

/** The signed-in operator; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await ask<Session>('GET', '/api/session', { signal });
    } catch (error) {
      if (hasCode(error, 'UNAUTHORIZED')) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

const keep = (session: Session | null): void => {
  // Data that was read for one operator is not shown to the next.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  queries.setQueryData(sessionQuery.queryKey, session);
};

let hasEnded = false;

whenUnauthorized(() => {
  if (!queries.getQueryData(sessionQuery.queryKey)) return;
  hasEnded = true;
  keep(null);
});

/** Reports whether the last session ended by itself, which the sign-in explains. */
export const hasSessionEnded = (): boolean => hasEnded;

/** Signs in with a passkey of this person. */
export const signIn = async (): Promise<void> => {
  const ceremony = await ask<Ceremony>('POST', '/api/sign-in/passkey/options');
  keep(await ask<Session>('POST', '/api/sign-in/passkey', { body: await askPasskey(ceremony) }));
};

/** Makes the passkey that a link asks for, and signs in with it. */
export const enrol = async (token: string, name: string, ceremony: Ceremony): Promise<void> => {
  const answer = await makePasskey(ceremony);
  keep(await ask<Session>('POST', '/api/enrolment', { body: { token, name, ...answer } }));
};

export const signOut = async (): Promise<void> => {
  await ask('DELETE', '/api/session').catch((error: unknown) => {
    // A session that has ended is what was asked for.
    if (!hasCode(error, 'UNAUTHORIZED')) throw error;
  });
  hasEnded = false;
  keep(null);
};

/** Confirms who is here, for actions that move money or give access. */
export const stepUp = async (): Promise<void> => {
  const ceremony = await ask<Ceremony>('POST', '/api/session/step-up/options');
  const session = await ask<Session>('POST', '/api/session/step-up', { body: await askPasskey(ceremony) });
  queries.setQueryData(sessionQuery.queryKey, session);
};

/** Sends something; if the process wants who is here confirmed first, sends it again after that. */
export const confirmedIfAsked = async <T>(send: () => Promise<T>): Promise<T> => {
  try {
    return await send();
  } catch (error) {
    if (!hasCode(error, 'REAUTHENTICATION_REQUIRED')) throw error;
    await stepUp();
    return send();
  }
};

/** Adds a passkey to the operator who is signed in. */
export const addPasskey = async (): Promise<void> => {
  const ceremony = await confirmedIfAsked(() => ask<Ceremony>('POST', '/api/session/passkeys/options'));
  const session = await ask<Session>('POST', '/api/session/passkeys', { body: await makePasskey(ceremony) });
  queries.setQueryData(sessionQuery.queryKey, session);
  await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
};

/** Sends the browser to the OpenID provider, to link this operator to a person there. */
export const linkProvider = async (): Promise<void> => {
  const { url } = await confirmedIfAsked(() => ask<ProviderLink>('POST', '/api/session/provider'));
  location.assign(url);
};

/** Reports whether the operator who is signed in may do something. The process decides; this only hides what it would reject. */
export const useMay = (): ((permission: Permission) => boolean) => {
  const { data } = useQuery(sessionQuery);
  return (permission) => data?.permissions.includes(permission) ?? false;
};

/** Reports whether the operator was confirmed lately. */
export const isConfirmed = (now: number): boolean => {
  const until = queries.getQueryData(sessionQuery.queryKey)?.steppedUpUntil;
  // An answer takes a moment; what is nearly over counts as over.
  return until !== undefined && Date.parse(until) - now > 5000;
};
