/** Networks that a wallet may have to be set to, by their ids. */
const KNOWN: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'Optimism',
  100: 'Gnosis',
  137: 'Polygon',
  8453: 'Base',
  10200: 'Gnosis Chiado',
  42161: 'Arbitrum',
  11155111: 'Sepolia',
};

export const chainNameOf = (chainId: number): string => KNOWN[chainId] ?? `EIP-155 ${chainId}`;

/** The name of a network as people write it: the platform's names are in lower case. */
export const chainName = (name: string): string => name.charAt(0).toLocaleUpperCase() + name.slice(1);
