/** Where money goes to, and the tokens that are taken there. `chainId` is the EIP-155 number in decimal. */
type Deposit = { address: string; chainId: string; tokens: readonly { token: string; contract?: string | undefined }[] };

/** The text of a QR code, and the token that it asks for; without one it is the address alone. */
type DepositCode = { token?: string; text: string };

/**
 * The codes of a deposit. The first is the address alone, which every scanner takes for the recipient. The others ask a wallet for a transfer of a token (ERC-681) with everything
 * filled in but the amount; the first address in them is the token's contract, which a scanner that does not know them may take for the recipient.
 */
export const depositCodes = ({ address, chainId, tokens }: Deposit): [DepositCode, ...DepositCode[]] => [
  { text: address },
  ...tokens.flatMap(({ token, contract }) =>
    contract === undefined ? [] : [{ token, text: `ethereum:${contract}@${chainId}/transfer?address=${address}` }],
  ),
];
