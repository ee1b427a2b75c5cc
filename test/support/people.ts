import { readFileSync, writeFileSync } from 'node:fs';
import { ALL_SCOPES } from '@florin/local';
import { type ServiceKey, type ServiceTrust, serviceKeySchema, signServiceToken } from '@florin/rpc/auth';
import { exportJWK, generateKeyPair } from 'jose';

/** Adds people with every scope to a trust file. @returns a source of their tokens */
export const addPeople = async (trustFile: string, names: readonly string[]) => {
  const keys = new Map<string, ServiceKey>();
  for (const name of names) {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    keys.set(name, serviceKeySchema.parse({ ...(await exportJWK(privateKey)), kid: name, alg: 'EdDSA' }));
  }
  const trust = JSON.parse(readFileSync(trustFile, 'utf8')) as ServiceTrust;
  const clients = [...keys].map(([name, { d: _private, ...key }]) => ({ name, key, scopes: [...ALL_SCOPES], person: true }));
  writeFileSync(trustFile, JSON.stringify({ clients: [...trust.clients, ...clients] }));
  return {
    personToken: async (name: string, audience: string): Promise<string> => {
      const key = keys.get(name);
      if (key === undefined) throw new Error(`${name} is not one of the people of this platform`);
      return signServiceToken({ key, audience, scopes: ALL_SCOPES });
    },
  };
};
