import type { ProcessName } from './config.ts';
import { fieldServiceOf, type PlatformKeys } from './keys.ts';
import { ensureRedisPasswords, redisAclFile, redisUrlOf } from './redis-users.ts';

type Files = Readonly<Record<string, string>>;

/** The secrets of each process, the users of Redis with the password of `default`, and the public trust list, as files by name. */
export type SecretFiles = { processes: Readonly<Record<string, Files>>; redis: Files; trust: Files };

/** The files that each process reads in a container, by the names that deploy/k8s and deploy/docker mount. */
export const secretFiles = (
  names: readonly ProcessName[],
  keys: PlatformKeys,
  engines: { mongodbUri: string; redisUrl: string },
  read: (path: string) => string,
): SecretFiles => {
  const redisPasswords = ensureRedisPasswords(keys.redisPasswordsFile);
  const own = (name: ProcessName): Files => {
    const fields = fieldServiceOf(name);
    return {
      'service-key.json': read(keys.keyFile(name)),
      ...(name === 'back-office' ? {} : { 'redis-url': redisUrlOf(engines.redisUrl, redisPasswords, name) }),
      ...(name === 'gateway' ? {} : { 'mongodb-uri': engines.mongodbUri }),
      ...(name === 'identity' ? { 'identity-master.keys.json': read(keys.identityMasterKeysFile) } : {}),
      ...(name === 'vault' ? { 'vault-master.keys.json': read(keys.vaultMasterKeysFile) } : {}),
      ...(name === 'notifications' ? { 'vapid.key': read(keys.vapidKeyFile) } : {}),
      ...(name === 'settlement' ? { 'settlement.key.json': read(keys.settlementKeyFile) } : {}),
      ...(name === 'ledger' ? { 'ledger-head.key.json': read(keys.ledgerHeadKeyFile) } : {}),
      ...(fields === undefined
        ? {}
        : { 'fields.keys.json': read(keys.fieldKeyFiles(fields).keys), 'field-hash.key': read(keys.fieldKeyFiles(fields).hashKey) }),
    };
  };
  return {
    processes: Object.fromEntries(names.map((name) => [name, own(name)])),
    redis: { 'user.acl': redisAclFile(redisPasswords), password: redisPasswords.default },
    trust: { 'service-trust.json': read(keys.trustFile) },
  };
};

/** The same as a List of Kubernetes: one Secret for each process, and a ConfigMap. */
export const toManifests = (namespace: string, { processes, redis, trust }: SecretFiles): object => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    ...[...Object.entries(processes).map(([name, files]) => [`${name}-secrets`, files] as const), ['redis-users', redis] as const].map(
      ([name, stringData]) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        type: 'Opaque',
        stringData,
      }),
    ),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'service-trust', namespace }, data: trust },
  ],
});
