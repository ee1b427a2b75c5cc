import type { RegistrationParts } from '../registration/parts.ts';

/** Wraps one call; `name` is for example `emailClaims.claim`. */
export type Interruption = (name: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Wraps every function of a part. */
const guard = <T extends object>(name: string, part: T, interrupt: Interruption): T =>
  new Proxy(part, {
    get: (target, key, receiver) => {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof member !== 'function' || key === 'model') return member;
      return (...args: unknown[]) => interrupt(`${name}.${String(key)}`, () => member.apply(target, args));
    },
  });

/** Wraps every call of a saga to the named parts. */
export const interruptCalls =
  <P extends object>(names: readonly (keyof P & string)[], interrupt: Interruption) =>
  (parts: P): P => ({
    ...parts,
    ...(Object.fromEntries(names.map((name) => [name, guard(name, parts[name] as object, interrupt)])) as Partial<P>),
  });

/** Wraps every call of the registration saga. */
export const interruptRegistration = (interrupt: Interruption) =>
  interruptCalls<RegistrationParts>(['registrations', 'users', 'emailClaims', 'walletClaims', 'kyc', 'ledger'], interrupt);
