import type { GetKeyUsageRequest } from '@florin/proto/vault/v1/card_number_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Counts the secrets under each key-encryption key, also under one that is no longer configured. */
export const getKeyUsage = ({ cards, vaultKeys, kms }: Dependencies) =>
  serviceMethod(async (_request: GetKeyUsageRequest) => {
    const cardsByKey = await cards.countByKey();
    const stored = await vaultKeys.list();
    const keyIds = new Set([...kms.keyIds, ...cardsByKey.keys(), ...stored.map(({ wrapped }) => wrapped.keyId)]);
    return {
      keys: [...keyIds].map((keyId) => ({
        keyId,
        current: keyId === kms.currentKeyId,
        cards: BigInt(cardsByKey.get(keyId) ?? 0),
        vaultKeys: stored.filter(({ wrapped }) => wrapped.keyId === keyId).length,
      })),
    };
  });
