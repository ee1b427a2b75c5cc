import type { User } from '@florin/client';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Confirm } from '@florin/ui/parts/confirm.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh, userQuery } from '../../api/queries.ts';
import { forgetRecipientNames } from '../../api/recipient-names.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { withApproval } from '../../wallet/approved.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import { AddWallet } from './add-wallet.tsx';

type Wallet = User['wallets'][number];

type RowProps = {
  wallet: Wallet /** Undefined where this wallet is not the one that can sign here. */;
  onMakePrimary: (() => void) | undefined;
  isBusy: boolean;
  onRemove: () => void;
};

const Row = ({ wallet, onMakePrimary, isBusy, onRemove }: RowProps) => {
  const { t, locale } = useTranslator();
  const isCooling = Date.parse(wallet.approvesFrom) > Date.now();
  return (
    <li className="row row-plain">
      <span>
        <span className="row-title mono" title={wallet.address}>
          {shortAddress(wallet.address)}
        </span>
        {isCooling ? (
          <span className="soft small">{t('security.approves_from', { time: formatTime(wallet.approvesFrom, locale, 'short') })}</span>
        ) : null}
      </span>
      {wallet.primary ? (
        <Badge>{t('security.primary')}</Badge>
      ) : (
        <span className="actions">
          {onMakePrimary === undefined || isCooling ? null : (
            <Button small busy={isBusy} onClick={onMakePrimary}>
              {t('security.make_primary')}
            </Button>
          )}
          <Button small aria-label={t('security.remove_label', { wallet: shortAddress(wallet.address) })} onClick={onRemove}>
            {t('security.remove')}
          </Button>
        </span>
      )}
    </li>
  );
};

/** The wallet that becomes the primary one signs, so it has to be the one that signed in. */
const makePrimary = async (): Promise<void> => {
  const [{ makeWalletPrimary }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  await makeWalletPrimary(client, await currentSigner());
};

const Remove = ({ address, onClose }: { address: string; onClose: () => void }) => {
  const { t } = useTranslator();
  const removing = useMutation({
    mutationFn: () =>
      withApproval({ change: 'remove_wallet', given: { address } }, (approval) => client.user.removeWallet({ address, ...approval })),
    onSuccess: async () => {
      forgetRecipientNames(address);
      await refresh('user');
      showToast(t('security.removed'));
      onClose();
    },
  });
  return (
    <Confirm
      title={t('security.remove_question')}
      lead={`${t('security.remove_lead')} ${address}`}
      action={t('security.remove')}
      busy={removing.isPending}
      failure={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  );
};

/** The wallets that can sign in and approve payments. */
export const Wallets = () => {
  const { t } = useTranslator();
  const user = useQuery(userQuery);
  const [removed, setRemoved] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const own = chosenWallet()?.address.toLowerCase();
  const promoting = useMutation({
    mutationFn: makePrimary,
    onSuccess: async () => {
      await refresh('user');
      showToast(t('security.made_primary'));
    },
  });
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('security.wallets')}</h2>
        <p className="soft">{t('security.wallets_lead')}</p>
      </div>
      {user.isPending ? <SkeletonRows rows={1} /> : null}
      <Failure error={user.error} onRetry={() => void user.refetch()} />
      <ul className="rows">
        {(user.data?.wallets ?? []).map((wallet) => (
          <Row
            key={wallet.address}
            wallet={wallet}
            onMakePrimary={wallet.address.toLowerCase() === own ? () => promoting.mutate() : undefined}
            isBusy={promoting.isPending}
            onRemove={() => setRemoved(wallet.address)}
          />
        ))}
      </ul>
      <Failure error={promoting.error} />
      <Button onClick={() => setAdding(true)}>{t('security.add_wallet')}</Button>
      {removed === undefined ? null : <Remove address={removed} onClose={() => setRemoved(undefined)} />}
      {isAdding ? <AddWallet onClose={() => setAdding(false)} /> : null}
    </section>
  );
};
