/** Where a token is and goes to. `chainId` is the EIP-155 number in decimal. */
type Transfer = { contract: string; chainId: string; to: string };

/** A request for a transfer of a token (ERC-681), which a wallet that scans it opens with everything filled in but the amount. */
export const transferUri = ({ contract, chainId, to }: Transfer): string => `ethereum:${contract}@${chainId}/transfer?address=${to}`;
