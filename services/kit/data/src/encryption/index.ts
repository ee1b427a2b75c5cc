export { createFieldCipher, type FieldCipher, FieldError, type FieldPlace } from './field-cipher.ts';
export { type FieldKey, fieldShape } from './field-keys.ts';
export { openFieldCipher } from './open-field-cipher.ts';
export { type EncryptedFields, startRewrap } from './rewrap.ts';
