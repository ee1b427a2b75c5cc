import { ConfigError } from '@florin/rpc/config';
import { describe, expect, it } from 'vitest';
import { chooseAuthorizationDecider } from './choose-authorization-decider.ts';

const secret = new Uint8Array(32);

const choose = (sandbox: boolean, url?: string, key: typeof secret | undefined = secret) =>
  chooseAuthorizationDecider(
    { SANDBOX: sandbox, DECIDER_URL: url, DECIDER_SECRET: key },
    { now: () => new Date(), defer: () => undefined },
  );

describe('the choice of the external decider', () => {
  it('is none without a URL', () => {
    expect(choose(false)).toBeUndefined();
  });

  it.each([
    [true, 'http://decider.internal/'],
    [false, 'https://decider.example/'],
    [false, 'http://127.0.0.1:9000/'],
  ])('with SANDBOX=%s accepts %s', (sandbox, url) => {
    expect(choose(sandbox, url)).toMatchObject({ decide: expect.any(Function) });
  });

  it('rejects a cleartext URL outside the sandbox', () => {
    expect(() => choose(false, 'http://decider.internal/')).toThrow(ConfigError);
    expect(() => choose(false, 'http://decider.internal/')).toThrow(/^DECIDER_URL: /);
  });
});
