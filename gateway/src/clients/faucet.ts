import { CodedError } from '@florin/rpc/errors';

/** The faucet of the chain on this machine (`CHAIN=local`). */
export type Faucet = {
  /**
   * Pays tokens to an address.
   * @param amount in whole units, decimal
   * @param key repeats with it pay once
   * @returns the hash of the transaction, whose only event is the transfer
   * @throws CodedError SERVICE_UNAVAILABLE when the chain does not answer, AMOUNT_INVALID when it pays no such amount
   */
  pay: (order: { to: string; token: string; amount: string; key: string }) => Promise<string>;
};

const TIMEOUT_MS = 10_000;

export const createFaucet = (url: string): Faucet => ({
  pay: async ({ to, token, amount, key }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'florin_faucet', params: [to, token, amount, key] });
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const answer = await fetch(url, request)
      .then((response) => response.json() as Promise<{ result?: string; error?: { message: string } }>)
      .catch((cause: unknown) => {
        throw new CodedError('SERVICE_UNAVAILABLE', { cause });
      });
    if (answer.result === undefined)
      throw new CodedError('AMOUNT_INVALID', { message: answer.error?.message ?? 'the faucet does not pay it' });
    return answer.result;
  },
});
