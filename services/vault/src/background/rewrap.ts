import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Wrapped } from '../domain/card.ts';
import { contextOfDataKey } from '../keys/data-keys.ts';
import { contextOfVaultKey } from '../keys/vault-keys.ts';
import type { KeyManagement } from '../ports/key-management.ts';
import type { CardStore } from '../store/cards.ts';
import type { VaultKeyStore } from '../store/vault-keys.ts';

type RewrapParts = { cards: CardStore; vaultKeys: VaultKeyStore; kms: KeyManagement; logger: Logger; intervalMs: number };

const BATCH = 100;

/**
 * Wraps with the current key what another key protects, a batch at a time, while the vault serves. Only the wrapping changes: the data keys,
 * and what they encrypt, stay as they are. On several replicas at once each secret is rewrapped by one of them.
 */
export const startRewrapping = ({ cards, vaultKeys, kms, logger, intervalMs }: RewrapParts): Rounds => {
  const rewrap = async (wrapped: Wrapped, context: string): Promise<Wrapped> => kms.wrap(await kms.unwrap(wrapped, context), context);

  const round = async (closed: () => boolean): Promise<void> => {
    for (const { name, wrapped } of await vaultKeys.list()) {
      if (wrapped.keyId === kms.currentKeyId) continue;
      await vaultKeys.rewrap(name, wrapped, await rewrap(wrapped, contextOfVaultKey(name)));
      logger.info({ vaultKey: name, keyId: kms.currentKeyId }, 'wrapped a key of the vault anew');
    }
    let count = 0;
    while (!closed()) {
      const waiting = await cards.findWrappedByOthers(kms.currentKeyId, BATCH);
      for (const { id, dataKey } of waiting) {
        if (closed()) return;
        await cards.rewrap(id, dataKey, await rewrap(dataKey, contextOfDataKey(id)));
      }
      count += waiting.length;
      if (waiting.length < BATCH) break;
    }
    if (count > 0) logger.info({ cards: count, keyId: kms.currentKeyId }, 'wrapped data keys anew');
  };

  return startRounds({ round, intervalMs, logger, failed: 'wrapping keys anew failed, will retry' });
};
