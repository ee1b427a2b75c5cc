import type { VAULT_ERROR_CODES } from '@florin/proto/vault/v1/error-codes';
import type { ErrorEntry } from './entry.ts';

export const VAULT_ERRORS: Readonly<Record<keyof typeof VAULT_ERROR_CODES, ErrorEntry>> = {
  CARD_NOT_REVEALABLE: {
    cause: 'The card is neither active nor frozen by its cardholder.',
    remedy: 'Read the card and show its status.',
    repeat: 'no',
  },
  CARD_DATA_LIMIT_REACHED: {
    cause: 'The data or PIN of this card was shown or set as often today (UTC) as REVEALS_PER_DAY allows: ten times by default.',
    remedy: 'Wait for the time in the Retry-After header: the count begins anew at midnight UTC.',
    repeat: 'later',
  },
  CARD_NUMBERS_EXHAUSTED: {
    cause: 'The configured number ranges have no free number.',
    remedy: 'An operator must configure another range (CARD_RANGES).',
    repeat: 'later',
  },
  RECEIVING_KEY_INVALID: {
    cause: 'The key is not a public P-256 key in JWK form, or it contains a private part.',
    remedy: 'Export only the public key of an ECDH key pair, and send its kty, crv, x and y.',
    repeat: 'no',
  },
  SEALED_MESSAGE_INVALID: {
    cause: 'The message is not encrypted to a key of the vault, or its content is not what the operation expects.',
    remedy:
      'Encrypt to the newest key of GET /pci/keys (ECDH-ES, A256GCM), and sign a new PIN with the key that the wallet approved. `field`, which the title of the Link header has, names what is wrong: `jwe` (not encrypted to a key of the vault), `jws` (not signed by the key in its header), `jwk` (another key than the approved one), or a member of the message.',
    repeat: 'no',
  },
  PIN_NOT_SET: { cause: 'The card has no PIN.', remedy: 'Set one with PUT /pci/cards/{cardId}/pin.', repeat: 'after_remedy' },
  PIN_TOO_SIMPLE: {
    cause: 'The PIN is one that is guessed first: repeated or consecutive digits, a year, or digits of the card number.',
    remedy:
      'Choose another PIN. It takes a new challenge and signature if its digits stand in the card number, which uses one of the day up.',
    repeat: 'no',
  },
  PROCESSOR_KEY_NOT_CONFIGURED: {
    cause: 'The vault has no key of a card processor.',
    remedy: 'An operator must set PROCESSOR_KEY.',
    repeat: 'no',
  },
};
