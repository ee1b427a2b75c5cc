import type { Hex } from '@florin/evm/hex';

/** Events of a Safe that change who controls it (Safe 1.3.0 to 1.5.0 and its migration contracts), by topic. */
export const SAFE_EVENTS: ReadonlyMap<Hex, SafeChange> = new Map([
  ['0x9465fa0c962cc76958e6373a993326400c1c94f8be2fe3a952adfa7f60b2ea26', 'ADDED_OWNER'],
  ['0xf8d49fc529812e9a7c5c50e69c20f0dccc0db8fa95c98bc58cc9a4f1c1299eaf', 'REMOVED_OWNER'],
  ['0x610f7ff2b304ae8903c3de74c60c6ab1f7d6226b3f52c5161905bb5ad4039c93', 'CHANGED_THRESHOLD'],
  ['0xecdf3a3effea5783a3c4c2140e677577666428d44ed9d474a0b3a4c9943f8440', 'ENABLED_MODULE'],
  ['0xaab4fa2b463f581b2b32cb3b7e3b704b9ce37cc209b5fb4d77e593ace4054276', 'DISABLED_MODULE'],
  ['0x1151116914515bc0891ff9047a6cb32cf902546f83066499bcf8ba33d2353fa2', 'CHANGED_GUARD'],
  ['0xcd1966d6be16bc0c030cc741a06c6e0efaf8d00de2c8b6a9e11827e125de8bb8', 'CHANGED_MODULE_GUARD'],
  ['0x75e41bc35ff1bf14d81d1d2f649c0084a0f974f9289c803ec9898eeec4c8d0b8', 'CHANGED_MASTER_COPY'],
  ['0x5ac6c46c93c8d0e53714ba3b53db3e7c046da994313d7ed0d192028bc7c228b0', 'CHANGED_FALLBACK_HANDLER'],
] as const);

/** `TransactionAdded` of a Delay module (Zodiac): a transaction that it executes once its cooldown has passed. */
export const DELAY_ENQUEUED: Hex = '0x4c8a9c748e976c17c2eb2c2bc50da76eac9cd90ff529f0fe900e0c10a179f031';

/** Events by which the issuer of a token uses its powers (Circle's tokens, OpenZeppelin's, ERC-1967), by topic. */
export const TOKEN_EVENTS: ReadonlyMap<Hex, TokenEvent> = new Map([
  ['0xffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855', 'frozen'],
  ['0x117e3210bb9aa7d9baff172026820255c6f6c30ba8999d1c2fd88e2848137c4e', 'freed'],
  ['0x6985a02210a168e66602d3235cb6db0e70f92b3ba4d376a33c0f3d9434bff625', 'paused'],
  ['0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258', 'paused'],
  ['0x7805862f689e2f13df9f062ff482ad3ad112aca9e0847911ed832e158c525b33', 'unpaused'],
  ['0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa', 'unpaused'],
  ['0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b', 'upgraded'],
] as const);

/** An act of the issuer of a token: on one address (`frozen`, `freed`), or on all that hold the token. */
export type TokenEvent = 'frozen' | 'freed' | 'paused' | 'unpaused' | 'upgraded';

/** A change of control over a Safe, made or announced. */
export type SafeChange =
  | 'ADDED_OWNER'
  | 'REMOVED_OWNER'
  | 'CHANGED_THRESHOLD'
  | 'ENABLED_MODULE'
  | 'DISABLED_MODULE'
  | 'CHANGED_GUARD'
  | 'CHANGED_MODULE_GUARD'
  | 'CHANGED_MASTER_COPY'
  | 'CHANGED_FALLBACK_HANDLER'
  | 'DELAY_ENQUEUED';

/**
 * An event that concerns control, of whatever contract: its address decides whether it is of a Safe of ours, or of a watched token. `subject`: the address in its
 * second topic, in lower case.
 */
export type ControlEvent = { contract: Hex; topic: Hex; subject?: Hex; txHash: Hex; blockLogIndex: number };
