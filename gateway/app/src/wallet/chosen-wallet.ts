import { kept } from '@florin/ui/page/kept.ts';
import { parseJson } from '@florin/ui/page/parse-json.ts';

/** Which wallet signed in. Neither is a secret: the wallet itself has the key. */
export type ChosenWallet = { rdns: string; address: string };

const NAME = 'florin.wallet';

const isChosen = (value: unknown): value is ChosenWallet => {
  const { rdns, address } = (value ?? {}) as Partial<ChosenWallet>;
  return typeof rdns === 'string' && typeof address === 'string';
};

export const keepWallet = (wallet: ChosenWallet): void => kept.keep(NAME, JSON.stringify(wallet));

export const chosenWallet = (): ChosenWallet | undefined => {
  const chosen = parseJson(kept.read(NAME));
  return isChosen(chosen) ? chosen : undefined;
};

export const forgetWallet = (): void => kept.forget(NAME);
