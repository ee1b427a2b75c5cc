/** A node of the account's chain, asked as wallets are (EIP-1193): for example a client of viem, or a wallet's provider. It is believed. */
export type ChainNode = {
  // biome-ignore lint/suspicious/noExplicitAny: clients of viem and wallets type it in their own ways.
  request: (call: any) => Promise<unknown>;
};

/** Result of a view of a contract after the newest block, with `0x`, in lower case. A call that reverts is an error. */
export const callView = async (node: ChainNode, to: string, data: string): Promise<string> =>
  String(await node.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })).toLowerCase();

/** The addresses of a list of words. */
export const addressesIn = (words: readonly string[]): string[] => words.map((digits) => `0x${digits.slice(24)}`);

export const wordsOf = (result: string): string[] => result.slice(2).match(/.{64}/g) ?? [];

/** The list of addresses that begins in a word of a result. */
export const listAt = (words: readonly string[], at: number): string[] => {
  const first = Number(BigInt(`0x${words[at] ?? '0'}`)) / 32;
  return addressesIn(words.slice(first + 1, first + 1 + Number(BigInt(`0x${words[first] ?? '0'}`))));
};
