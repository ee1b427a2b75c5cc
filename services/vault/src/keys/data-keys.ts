import { createSealer, type Sealer } from '@florin/rpc/crypto';
import type { Wrapped } from '../domain/card.ts';
import type { KeyManagement } from '../ports/key-management.ts';

/** The secrets under a card's data key. */
export type SealedField = 'pan' | 'pin';

const DATA_KEY_BYTES = 32;

export const contextOfDataKey = (cardId: string): string => `card:${cardId}`;

/** Binds a ciphertext to its card and field, and to the version of this format. */
const contextOfField = (cardId: string, field: SealedField): string => `card:${cardId}:${field}:1`;

/** The fields of one card, under its data key (AES-256-GCM). */
export type CardSealer = {
  seal: (field: SealedField, text: string) => Promise<string>;
  open: (field: SealedField, sealed: string) => Promise<string>;
};

const cardSealer = (sealer: Sealer, cardId: string): CardSealer => ({
  seal: (field, text) => sealer.seal(text, contextOfField(cardId, field)),
  open: (field, sealed) => sealer.open(sealed, contextOfField(cardId, field)),
});

/** Envelope encryption: each card has a data key of its own, wrapped by the key-encryption key. */
export const createDataKeys = (kms: KeyManagement, randomBytes: (size: number) => Uint8Array) => ({
  /** Makes a card's data key. */
  create: async (cardId: string): Promise<{ dataKey: Wrapped; sealer: CardSealer }> => {
    const key = randomBytes(DATA_KEY_BYTES);
    return { dataKey: await kms.wrap(key, contextOfDataKey(cardId)), sealer: cardSealer(createSealer(key), cardId) };
  },
  /** @throws Error when the key cannot be unwrapped */
  open: async ({ id, dataKey }: { id: string; dataKey: Wrapped }): Promise<CardSealer> =>
    cardSealer(createSealer(await kms.unwrap(dataKey, contextOfDataKey(id))), id),
});

export type DataKeys = ReturnType<typeof createDataKeys>;
