/** A wallet as it is found in a page (EIP-1193). */
export type Provider = {
  request: (request: { method: string; params?: readonly unknown[] }) => Promise<unknown>;
};

/** A wallet that has announced itself (EIP-6963). */
export type FoundWallet = {
  info: { uuid: string; name: string /** data: URL */; icon: string /** Reverse domain name, which stays the same. */; rdns: string };
  provider: Provider;
};

/** The error of a provider. */
export const codeOf = (error: unknown): number | undefined => {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'number' ? code : undefined;
};
