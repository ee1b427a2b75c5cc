import { expect, it } from 'vitest';
import { CodedError } from '../errors/index.ts';
import { createTestAuthority, waitFor } from '../testing/index.ts';
import { createServiceTokenVerifier, type RegisteredClient, signServiceToken, withRegisteredClients } from './index.ts';

const authority = await createTestAuthority({ card: ['ledger.accounts.read'], server: [], other: [] });
const ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const keyOf = (name: string) => ({ ...authority.serviceKey(name), kid: ID });
const { x } = authority.serviceKey('server');
const CLIENT = { partnerId: 'acme', x, scopes: ['events.read'] };

const open = (first: RegisteredClient | Error | 'none' = CLIENT, clients = authority.trust.clients) => {
  const asked: string[] = [];
  const tried: string[] = [];
  const registered: { answer: RegisteredClient | Error | undefined } = { answer: first === 'none' ? undefined : first };
  const byTrust = createServiceTokenVerifier('events', { clients });
  const verify = withRegisteredClients(
    (token) => {
      tried.push(token);
      return byTrust(token);
    },
    (name) => clients.some((client) => client.name === name),
    async (clientId) => {
      asked.push(clientId);
      if (registered.answer instanceof Error) throw registered.answer;
      return registered.answer;
    },
  );
  return { verify, asked, tried, registered };
};

const token = (name = 'server', audience = 'events', scopes = ['events.read', 'events.append']) =>
  signServiceToken({ key: keyOf(name), audience, scopes });

it('accepts a token of a registered key as one of its partner, with the scopes that are registered', async () => {
  const { verify, asked, tried } = open();
  expect(await verify(await token())).toMatchObject({ kind: 'service', name: ID, partnerId: 'acme', scopes: new Set(['events.read']) });
  await verify(await token());
  expect(asked).toEqual([ID]);
  expect(tried).toEqual([]);
});

it('takes a client of the trust that is named by a thumbprint for what the trust says', async () => {
  const [card, ...others] = authority.trust.clients;
  if (card === undefined) throw new Error('no client');
  const { verify, asked } = open(CLIENT, [{ ...card, name: ID, key: { ...card.key, kid: ID } }, ...others]);
  expect(await verify(await token(card.name))).not.toHaveProperty('partnerId');
  await expect(verify(await token('server'))).rejects.toMatchObject({ metadata: { tokenProblem: 'bad_signature' } });
  expect(asked).toEqual([]);
});

it.each<[string, () => Promise<string>, string]>([
  ['a signature of another key', () => token('other'), 'bad_signature'],
  ['another audience', () => token('server', 'card'), 'wrong_audience'],
])('rejects %s', async (_what, sign, tokenProblem) => {
  await expect(open().verify(await sign())).rejects.toMatchObject({ code: 'UNAUTHORIZED', metadata: { tokenProblem } });
});

it('rejects an unknown key, and asks about nothing that is no thumbprint', async () => {
  const { verify, asked } = open('none');
  const rejection = { code: 'UNAUTHORIZED', metadata: { tokenProblem: 'unknown_key' } };
  const stranger = signServiceToken({ key: { ...keyOf('server'), kid: 'someone' }, audience: 'events', scopes: [] });
  await expect(verify(await stranger)).rejects.toMatchObject(rejection);
  expect(asked).toEqual([]);
  await expect(verify(await token())).rejects.toMatchObject(rejection);
  expect(asked).toEqual([ID]);
});

it('asks about no client of the trust, and lets none be a partner', async () => {
  const { verify, asked } = open();
  const own = await authority.serviceToken('card', 'events', ['ledger.accounts.read']);
  expect(await verify(own)).not.toHaveProperty('partnerId');
  expect(asked).toEqual([]);
});

it('rejects the tokens of a key from its revocation on, also those that were accepted before', async () => {
  const { verify, registered } = open();
  const signed = await token();
  await verify(signed);
  registered.answer = undefined;
  await waitFor('the rejection', () =>
    verify(signed).then(
      () => undefined,
      () => true,
    ),
  );
  registered.answer = { ...CLIENT, scopes: [] };
  await waitFor('the change', () =>
    verify(signed).then(
      ({ scopes }) => scopes.size === 0 || undefined,
      () => undefined,
    ),
  );
});

it('says that identity is away, and asks again', async () => {
  const { verify, registered } = open(new CodedError('SERVICE_UNAVAILABLE'));
  await expect(verify(await token())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  registered.answer = CLIENT;
  await expect(verify(await token())).resolves.toMatchObject({ partnerId: 'acme' });
});
