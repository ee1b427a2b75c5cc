import { Button } from '@florin/ui/parts/button.tsx';
import type { FoundWallet } from '../../wallet/eip1193.ts';

type WalletChoiceProps = {
  wallets: readonly FoundWallet[];
  /** The one that is being asked. */
  asked: FoundWallet | undefined;
  onChoose: (wallet: FoundWallet) => void;
};

/** A button for each of some wallets of this browser. */
export const WalletChoice = ({ wallets, asked, onChoose }: WalletChoiceProps) => (
  <ul className="stack">
    {wallets.map((wallet) => (
      <li key={wallet.info.rdns}>
        <Button wide busy={asked?.info.rdns === wallet.info.rdns} disabled={asked !== undefined} onClick={() => onChoose(wallet)}>
          <img src={wallet.info.icon} alt="" width="24" height="24" />
          {wallet.info.name}
        </Button>
      </li>
    ))}
  </ul>
);
