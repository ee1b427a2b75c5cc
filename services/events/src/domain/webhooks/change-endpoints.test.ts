import { describe, expect, it } from 'vitest';
import { disabling, enabling, endpointOf, told, updating } from './change-endpoints.ts';
import type { Endpoint, PartnerEndpoints } from './endpoint.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

const endpoint: Endpoint = {
  ...{ id: 'one', requestId: 'one', inputHash: '', url: 'https://hooks.acme.com/', types: [], description: '' },
  ...{ createdAt: NOW, startAfter: 0, enabled: 0, secrets: [], orders: [], contactId: 'contact' },
};
const START: PartnerEndpoints = { feed: 'acme', revision: 1, endpoints: [endpoint] };

/** Disables and enables the endpoint. @returns what it is then, and whether its contact was to be told */
const fail = (all: PartnerEndpoints, at: Date): { all: PartnerEndpoints; isTold: boolean } => {
  const disabled = disabling('one', 'gone', at, endpointOf(all, 'one').enabled)(all);
  const { notice } = endpointOf(disabled, 'one');
  return { all: enabling('one')(told('one', at)(disabled)), isTold: notice !== undefined };
};

describe('the contact of an endpoint', () => {
  it('gets ten mails a day at most, whoever has entered its address', () => {
    let all = START;
    const told: boolean[] = [];
    for (let count = 0; count < 12; count += 1) {
      const failed = fail(all, new Date(NOW.getTime() + count * 1000));
      all = failed.all;
      told.push(failed.isTold);
    }
    expect(told).toEqual([...Array.from({ length: 10 }, () => true), false, false]);
    expect(fail(all, new Date(NOW.getTime() + DAY_MS + 500)).isTold).toBe(true);
  });
});

describe('another URL', () => {
  const moved = updating('one', { ...endpoint, url: 'https://new.acme.com/' })(START);

  it('is not disabled for what its former one answered', () => {
    expect(disabling('one', 'gone', NOW, endpoint.enabled)(moved)).toBe(moved);
    expect(endpointOf(disabling('one', 'gone', NOW, endpointOf(moved, 'one').enabled)(moved), 'one').disabled?.reason).toBe('gone');
  });

  it('is one only if it differs', () => {
    expect(endpointOf(updating('one', { ...endpoint, description: 'new' })(START), 'one').enabled).toBe(0);
  });
});
