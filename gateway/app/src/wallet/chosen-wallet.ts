/** Which wallet signed in. Neither is a secret: the wallet itself has the key. */
export type ChosenWallet = { rdns: string; address: string };

const NAME = 'florin.wallet';

const isChosen = (value: unknown): value is ChosenWallet => {
  const { rdns, address } = (value ?? {}) as Partial<ChosenWallet>;
  return typeof rdns === 'string' && typeof address === 'string';
};

export const keepWallet = (wallet: ChosenWallet): void => localStorage.setItem(NAME, JSON.stringify(wallet));

export const chosenWallet = (): ChosenWallet | undefined => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? 'null');
    return isChosen(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
};

export const forgetWallet = (): void => localStorage.removeItem(NAME);
