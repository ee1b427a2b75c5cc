export { messageDigest } from './message-digest.ts';
export {
  MESSAGE_TYPE,
  newNonce,
  recoverMessageSigner,
  type TypedMessage,
  toSignable,
  toWireTypedMessage,
} from './typed-message.ts';
