/** Scopes that the vault's RPCs require of a service token. */
export const VAULT_SCOPES = {
  writeCardNumbers: 'vault.card_numbers.write',
  checkCardNumbers: 'vault.card_numbers.check',
  sealCardNumbers: 'vault.card_numbers.seal',
  writePins: 'vault.pins.write',
  readKeys: 'vault.keys.read',
} as const;
