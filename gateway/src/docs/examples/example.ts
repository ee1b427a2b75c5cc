import { SAFE_TX } from '../../schemas/safe.ts';

/** A request body and the body of its 200 response; of a stream, the data of one event. */
export type Example = { request?: unknown; response: unknown };

export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
export const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8001';
export const CARD_ID = '01890a5d-ac96-774b-bcce-b302099a8002';
export const CHALLENGE_ID = '01890a5d-ac96-774b-bcce-b302099a8003';
export const MOVEMENT_ID = '01890a5d-ac96-774b-bcce-b302099a8004';
export const ENDPOINT_ID = '01890a5d-ac96-774b-bcce-b302099a8020';
export const TX_HASH = '0x5f3c9b1a7d2e4f6085a1b3c5d7e9f0123456789abcdef0fedcba98765432100a';
export const TIME = '2026-01-31T12:00:00.000Z';
export const SIGNATURE = `0x${'6a1f'.repeat(32)}1b`;

/** EIP-712 typed data, as a wallet signs it. @param purpose name of its domain */
export const typedData = (purpose: string, authorization: string) => ({
  domain: { name: purpose, version: '1', chainId: 100 },
  primaryType: 'Message',
  types: {
    Message: [
      { name: 'authorization', type: 'string' },
      { name: 'nonce', type: 'uint256' },
    ],
  },
  message: { authorization, nonce: '11579208923731619542357098500868790785326998466564056403945758400791312963993' },
});

/** EIP-712 typed data of the approval of a card payment. */
export const DECISION_DATA = typedData(
  'Florin 3DS',
  `APPROVE this card payment\nAmount: 49.99 EUR\nCard: **** 4242\nMerchant: Bookshop (DE)\nChallenge: ${CHALLENGE_ID}\nExpires: 2026-01-31T12:05:00.000Z`,
);

/** EIP-712 typed data of a transaction of a Safe. */
export const safeTypedData = (to: string, data: string, operation: number) => ({
  domain: { chainId: 100, verifyingContract: WALLET },
  primaryType: 'SafeTx',
  types: { SafeTx: SAFE_TX },
  message: {
    to,
    value: '0',
    data,
    operation,
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '0',
    gasToken: `0x${'00'.repeat(20)}`,
    refundReceiver: `0x${'00'.repeat(20)}`,
    nonce: '0',
  },
});

export const DONE = { success: true };
export const LAST_PAGE = { nextCursor: null, hasNext: false };
