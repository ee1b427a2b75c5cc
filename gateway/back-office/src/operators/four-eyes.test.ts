import { describe, expect, it } from 'vitest';
import type { Operator, Passkey } from '../store/operators.ts';
import { requireSecondPerson, type Tie, tieBetween } from './four-eyes.ts';

const passkey = (id: string): Passkey => ({ id, publicKey: 'AAAA', counter: 0, transports: [], createdAt: new Date(0) });

const operator = (id: string, more: Partial<Operator> = {}): Operator => ({
  _id: id,
  email: `${id}@example.org`,
  name: id,
  roles: ['finance'],
  status: 'active',
  passkeys: [passkey(`passkey-of-${id}`)],
  createdAt: new Date(0),
  ...more,
});

const ada = operator('ada', { oidc: 'https://id.example.org ada', letInBy: ['root'] });

/** Two circles do not hang. */
const others = [
  operator('root', { letInBy: ['second'] }),
  operator('second', { letInBy: ['root'] }),
  operator('puppet', { letInBy: ['ada'] }),
  operator('eve'),
];

const pairs: [string, Operator, Tie | undefined][] = [
  ['the same account', ada, 'account'],
  ['another account', operator('bob'), undefined],
  ['another person at the provider', operator('bob', { oidc: 'https://id.example.org bob' }), undefined],
  ['an account with the same mailbox', operator('bob', { email: 'Ada+2@example.org' }), 'mailbox'],
  ['an account of the same person at the provider', operator('bob', { oidc: 'https://id.example.org ada' }), 'provider'],
  ['an account with the same passkey', operator('bob', { passkeys: [passkey('x'), passkey('passkey-of-ada')] }), 'passkey'],
  ['an account that one let in', operator('bob', { letInBy: ['eve', 'ada'] }), 'invitation'],
  ['an account that somebody let in whom one let in', operator('bob', { letInBy: ['puppet'] }), 'invitation'],
  ['an account that the same one let in', operator('bob', { letInBy: ['root'] }), 'invitation'],
  ['an account that somebody let in whom the same one let in', operator('bob', { letInBy: ['second'] }), 'invitation'],
  ['an account that somebody else let in', operator('bob', { letInBy: ['eve'] }), undefined],
];

describe('what ties two accounts together', () => {
  it.each(pairs)('is found of %s, whichever of them has ordered', async (_what, other, tie) => {
    const operators = { find: async (id: string) => [ada, other, ...others].find(({ _id }) => _id === id) ?? null };
    expect(await Promise.all([tieBetween(operators, ada, other), tieBetween(operators, other, ada)])).toEqual([tie, tie]);
    for (const [orderedBy, approver] of [
      [`operator:${ada._id}`, `operator:${other._id}`],
      [`back-office:operator:${other._id}`, `operator:${ada._id}`],
    ] as const) {
      const error: unknown = await requireSecondPerson({ operators }, orderedBy, approver).catch((thrown: unknown) => thrown);
      if (tie === undefined) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ code: 'SELF_APPROVAL', metadata: { tie } });
    }
  });

  it('is not looked for where the order is not of an operator', async () => {
    const operators = { find: async (id: string) => (id === ada._id ? ada : null) };
    expect(await requireSecondPerson({ operators }, 'finance-tool', `operator:${ada._id}`)).toBeUndefined();
  });
});
