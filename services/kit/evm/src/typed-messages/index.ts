export {
  MESSAGE_TYPE,
  messageDigest,
  newNonce,
  recoverMessageSigner,
  type TypedMessage,
  toSignable,
  toWireTypedMessage,
} from './typed-message.ts';
