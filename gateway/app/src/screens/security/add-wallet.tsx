import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import type { FoundWallet } from '../../wallet/eip1193.ts';
import { useWallets } from '../../wallet/find-wallets.ts';
import { WalletChoice } from './wallet-choice.tsx';

const add = async (found: FoundWallet): Promise<void> => {
  const [{ addWallet }, { connect, currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  const wallet = await connect(found);
  await addWallet(client, { wallet, approver: await currentSigner(), domain: location.host, uri: location.origin });
};

/** Adds another wallet of this browser: it signs, and so does the one that signed in. */
export const AddWallet = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  const current = chosenWallet()?.rdns;
  const wallets = useWallets().filter(({ info }) => info.rdns !== current);
  const adding = useMutation({
    mutationFn: add,
    onSuccess: async () => {
      await refresh('user');
      showToast(t('security.added'));
      onClose();
    },
  });
  return (
    <Sheet title={t('security.add_wallet')} onClose={onClose}>
      <p className="soft">{t('security.add_lead')}</p>
      {wallets.length === 0 ? <p>{t('security.add_none')}</p> : <p className="label">{t('security.add_choose')}</p>}
      <WalletChoice
        wallets={wallets}
        asked={adding.isPending ? adding.variables : undefined}
        onChoose={(wallet) => adding.mutate(wallet)}
      />
      <Failure error={adding.error} />
    </Sheet>
  );
};
