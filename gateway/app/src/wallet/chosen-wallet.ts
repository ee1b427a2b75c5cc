import { kept } from '@florin/ui/page/kept.ts';

/** Which wallet signed in. Neither is a secret: the wallet itself has the key. */
export type ChosenWallet = { rdns: string; address: string };

const NAME = 'florin.wallet';

const isChosen = (value: unknown): value is ChosenWallet => {
  const { rdns, address } = (value ?? {}) as Partial<ChosenWallet>;
  return typeof rdns === 'string' && typeof address === 'string';
};

export const keepWallet = (wallet: ChosenWallet): void => kept.keep(NAME, JSON.stringify(wallet));

export const chosenWallet = (): ChosenWallet | undefined => {
  try {
    const chosen: unknown = JSON.parse(kept.read(NAME) ?? 'null');
    return isChosen(chosen) ? chosen : undefined;
  } catch {
    return undefined;
  }
};

export const forgetWallet = (): void => kept.forget(NAME);
