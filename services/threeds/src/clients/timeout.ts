/**
 * Deadline of a question to another service, repeats included, in milliseconds. A shopper waits at the other end. Callers give an RPC
 * five seconds: two questions (card and account), or the wait for the lock, one question (wallets) and the chain's node
 * (`CHAIN_RPC_TIMEOUT_MS`), stay below that together, so that callers hear which of them is away instead of nothing.
 */
export const INNER_CALL_TIMEOUT_MS = 1500;
