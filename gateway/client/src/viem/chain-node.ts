/** A node of the account's chain, asked as wallets are (EIP-1193): for example a client of viem, or a wallet's provider. It is believed. */
export type ChainNode = {
  // biome-ignore lint/suspicious/noExplicitAny: clients of viem and wallets type it in their own ways.
  request: (call: any) => Promise<unknown>;
};

/** Result of a view of a contract after the newest block, with `0x`, in lower case. A call that reverts is an error. */
export const callView = async (node: ChainNode, to: string, data: string): Promise<string> =>
  String(await node.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })).toLowerCase();
