import { describe, expect, it } from 'vitest';
import { mongodbChain } from './mongodb-chain.ts';
import { chooseMirror } from './package-root.ts';
import { redisChain } from './redis-chain.ts';
import { replicaSetStep } from './replica-set.ts';

describe('the chains', () => {
  it('try configured servers first, then installed programs, then downloads and builds', () => {
    expect(mongodbChain.providers.map(({ name }) => name)).toEqual([
      'MONGODB_URI',
      'mongod on the PATH',
      'download of mongod',
      'FerretDB with PostgreSQL and DocumentDB',
    ]);
    expect(redisChain.providers.map(({ name }) => name)).toEqual([
      'REDIS_URL',
      'redis-server or valkey-server on the PATH',
      'redis-server from Debian packages',
      'download of Redis',
    ]);
  });
});

describe('the Debian mirror', () => {
  it.each([
    { uris: ['http://mirror.example/debian-security/', 'http://mirror.example/debian/'], mirror: 'http://mirror.example/debian' },
    { uris: ['https://packages.example/node', 'https://a.example/x/debian'], mirror: 'https://a.example/x/debian' },
    { uris: ['cdrom:[Debian]/debian', 'ar+https://b.example/debian'], mirror: undefined },
    { uris: [''], mirror: undefined },
  ])('for $uris is $mirror', ({ uris, mirror }) => {
    expect(chooseMirror(uris)).toBe(mirror);
  });
});

describe('the replica set with one member', () => {
  const config = { _id: 'florin', version: 3, members: [{ _id: 0, host: '127.0.0.1:1000' }] };

  it('is initiated on new data', () => {
    expect(replicaSetStep({ initiated: false }, 'florin', '127.0.0.1:1000')).toEqual({
      replSetInitiate: { _id: 'florin', members: [{ _id: 0, host: '127.0.0.1:1000' }] },
    });
  });

  it('is not changed on the same port', () => {
    expect(replicaSetStep({ initiated: true, config }, 'florin', '127.0.0.1:1000')).toBeUndefined();
  });

  it('is reconfigured by force on another port', () => {
    expect(replicaSetStep({ initiated: true, config }, 'florin', '127.0.0.1:2000')).toEqual({
      replSetReconfig: { _id: 'florin', version: 4, members: [{ _id: 0, host: '127.0.0.1:2000' }] },
      force: true,
    });
  });
});
