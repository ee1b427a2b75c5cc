import type { RegistrationParts } from '../registration/parts.ts';

/** Wraps one call; `name` is for example `emailClaims.claim`. */
export type Interruption = (name: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Wraps every call of the saga. */
export const interruptRegistration =
  (interrupt: Interruption) =>
  (parts: RegistrationParts): RegistrationParts => {
    const guard = <T extends object>(name: string, part: T): T =>
      new Proxy(part, {
        get: (target, key, receiver) => {
          const member: unknown = Reflect.get(target, key, receiver);
          if (typeof member !== 'function' || key === 'model') return member;
          return (...args: unknown[]) => interrupt(`${name}.${String(key)}`, () => member.apply(target, args));
        },
      });
    const { registrations, users, emailClaims, walletClaims, kyc, ledger } = parts;
    return {
      ...parts,
      registrations: guard('registrations', registrations),
      users: guard('users', users),
      emailClaims: guard('emailClaims', emailClaims),
      walletClaims: guard('walletClaims', walletClaims),
      kyc: guard('kyc', kyc),
      ledger: guard('ledger', ledger),
    };
  };
