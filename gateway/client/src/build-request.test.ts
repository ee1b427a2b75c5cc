import { describe, expect, it } from 'vitest';
import { buildRequest } from './build-request.ts';

describe('buildRequest', () => {
  it.each([
    [['GET', '/cards/{cardId}', 's'], { cardId: 'a/b?c' }, { path: '/cards/a%2Fb%3Fc' }],
    [['GET', '/cards', 's'], { limit: 5, cursor: 'x&y', status: undefined }, { path: '/cards?limit=5&cursor=x%26y' }],
    [['POST', '/cards/{cardId}/freeze', 's'], { cardId: '1' }, { path: '/cards/1/freeze' }],
    [['PATCH', '/cards/{cardId}', 'sb'], { cardId: '1', cardName: 'Ä', name: undefined }, { path: '/cards/1', body: '{"cardName":"Ä"}' }],
    [['POST', '/x', 'sb', ['domainType']], { wallet: '0x', domainType: 'true' }, { path: '/x?domainType=true', body: '{"wallet":"0x"}' }],
    [['POST', '/x', 'sb'], {}, { path: '/x', body: '{}' }],
  ] as const)('distributes the input of %j over path, query and body', (route, input, request) => {
    expect(buildRequest(route, input)).toEqual(request);
  });

  it.each([undefined, '', '.', '..'])('rejects %j as a part of the path', (cardId) => {
    expect(() => buildRequest(['POST', '/cards/{cardId}/freeze', 's'], { cardId })).toThrow(TypeError);
  });
});
