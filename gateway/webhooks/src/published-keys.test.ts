import { describe, expect, it } from 'vitest';
import { publishedKeys } from './index.ts';

const URL_OF_KEYS = 'https://api.example.com/.well-known/jwks.json';
const key = (kid: string) => ({ kty: 'OKP', crv: 'Ed25519', x: 'AA', kid });

/** A source whose server returns what the test sets, on a clock of the test's. */
const createSource = () => {
  const server = { answer: (): unknown => ({ keys: [key('one')] }), ok: true, requests: 0 };
  let clock = 0;
  const fetch = async () => {
    server.requests += 1;
    return { ok: server.ok, json: async () => server.answer() };
  };
  return {
    server,
    pass: (ms: number) => {
      clock += ms;
    },
    keys: publishedKeys(URL_OF_KEYS, { fetch, now: () => clock }),
  };
};

describe('published keys', () => {
  it('are fetched once by those who ask at the same time, and again after ten minutes', async () => {
    const { server, pass, keys } = createSource();
    expect(await Promise.all([keys(), keys(), keys()])).toEqual([[key('one')], [key('one')], [key('one')]]);
    expect(server.requests).toBe(1);
    pass(599_999);
    await keys();
    expect(server.requests).toBe(1);
    pass(1);
    await keys();
    expect(server.requests).toBe(2);
  });

  it('are fetched again on demand, at most every 30 seconds', async () => {
    const { server, pass, keys } = createSource();
    await keys();
    server.answer = () => ({ keys: [key('two')] });
    expect(await keys(true)).toEqual([key('one')]);
    pass(30_000);
    expect(await keys(true)).toEqual([key('two')]);
    expect(await keys(true)).toEqual([key('two')]);
    expect(server.requests).toBe(2);
  });

  it('stay in use while the sender cannot be reached', async () => {
    const { server, pass, keys } = createSource();
    await keys();
    server.ok = false;
    pass(600_000);
    expect(await keys()).toEqual([key('one')]);
  });

  it.each([
    ['an error', false, { keys: [] }],
    ['no object', true, null],
    ['no keys', true, {}],
    ['keys that are no objects', true, { keys: ['x'] }],
    ['too many keys', true, { keys: Array.from({ length: 21 }, () => key('x')) }],
  ])('are unavailable after %s, until the next attempt', async (_what, ok, answer) => {
    const { server, keys } = createSource();
    Object.assign(server, { ok, answer: () => answer });
    await expect(keys()).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    Object.assign(server, { ok: true, answer: () => ({ keys: [key('one')] }) });
    expect(await keys()).toEqual([key('one')]);
  });

  it.each(['http://api.example.com/jwks', 'ftp://localhost/jwks', 'http://localhost.example.com/jwks'])(
    'are not fetched from %s',
    (url) => {
      expect(() => publishedKeys(url)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
    },
  );

  it('may come from this machine over http', () => {
    expect(() => publishedKeys('http://127.0.0.1:8080/.well-known/jwks.json')).not.toThrow();
  });
});
