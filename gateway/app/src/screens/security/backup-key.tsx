import type { PreparedBackupKey } from '@florin/client/recovery';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { wholeHours } from '@florin/ui/format/time-left.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { accountQuery, refresh } from '../../api/queries.ts';
import { addressProblem, readAddress } from '../../domain/address.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import type { FoundWallet } from '../../wallet/eip1193.ts';
import { useWallets } from '../../wallet/find-wallets.ts';
import { lacksBackup } from './lacks-backup.ts';
import { WalletChoice } from './wallet-choice.tsx';

const prepare = async (owner: string, key: string): Promise<PreparedBackupKey> => {
  const { prepareBackupKey } = await import('@florin/client/recovery');
  return prepareBackupKey(client, owner, key);
};

const addressIn = async (found: FoundWallet): Promise<string> => (await (await import('../../wallet/signer.ts')).connect(found)).address;

const submit = async (prepared: PreparedBackupKey, found: FoundWallet, address: string): Promise<void> => {
  const { connectAs, currentSigner } = await import('../../wallet/signer.ts');
  const backup = await connectAs(found, address);
  await prepared.submit(await currentSigner(), backup);
};

type TermsProps = { address: string; exitSeconds: number; recoverySeconds: number };

/** A backup key, and the times that follow from it. */
const Terms = ({ address, exitSeconds, recoverySeconds }: TermsProps) => {
  const { t } = useTranslator();
  const after = (seconds: number): string => t('set_up.way_out_after', { count: wholeHours(seconds) });
  return (
    <Facts
      facts={[
        [
          t('backup.title'),
          <span key="key" className="mono" title={address}>
            {shortAddress(address)}
          </span>,
        ],
        [t('backup.exchange'), after(recoverySeconds)],
        [t('set_up.way_out'), after(exitSeconds)],
      ]}
    />
  );
};

type CheckProps = { address: string; prepared: PreparedBackupKey; onClose: () => void; onSigned: (() => void) | undefined };

/** The consequences, once more, before the backup key and the owner's wallet are asked. */
const Check = ({ address, prepared, onClose, onSigned }: CheckProps) => {
  const { t } = useTranslator();
  const wallets = useWallets();
  const signing = useMutation({
    mutationFn: (found: FoundWallet) => submit(prepared, found, address),
    onSuccess: async () => {
      await refresh('account');
      showToast(t('backup.signed'));
      onClose();
      onSigned?.();
    },
  });
  return (
    <Sheet title={t('backup.check')} onClose={onClose}>
      <Terms address={address} {...prepared} />
      <p className="soft">{t('backup.new_file')}</p>
      <p className="soft">{t('backup.both_sign')}</p>
      <p className="label">{t('recovery.choose')}</p>
      <WalletChoice
        wallets={wallets}
        asked={signing.isPending ? signing.variables : undefined}
        onChoose={(wallet) => signing.mutate(wallet)}
      />
      <Failure error={signing.error} />
      <Button onClick={onClose}>{t('app.cancel')}</Button>
    </Sheet>
  );
};

/** Names a backup key. @param props.onSigned called once both wallets have signed */
export const BackupKeyForm = ({ owner, onSigned }: { owner: string; onSigned?: () => void }) => {
  const { t } = useTranslator();
  const [typed, setTyped] = useState('');
  const [hasTried, setTried] = useState(false);
  const current = chosenWallet()?.rdns;
  const wallets = useWallets().filter(({ info }) => info.rdns !== current);
  const address = readAddress(typed);
  const problem = addressProblem(address);
  const asking = useMutation({ mutationFn: addressIn, onSuccess: setTyped });
  const preparing = useMutation({ mutationFn: (key: string) => prepare(owner, key) });
  const go = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem === undefined) preparing.mutate(address);
  };
  return (
    <form className="form" onSubmit={go} noValidate>
      <TextField
        label={t('backup.address')}
        hint={t('backup.hint')}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        spellCheck={false}
        problem={hasTried && problem !== undefined ? t(problem) : undefined}
      />
      {wallets.map((wallet) => (
        <Button key={wallet.info.rdns} small busy={asking.isPending} onClick={() => asking.mutate(wallet)}>
          {t('backup.use', { wallet: wallet.info.name })}
        </Button>
      ))}
      <Failure error={asking.error ?? preparing.error} />
      <Button kind="primary" type="submit" busy={preparing.isPending}>
        {t('withdraw.review')}
      </Button>
      {preparing.data === undefined ? null : (
        <Check address={preparing.variables} prepared={preparing.data} onClose={preparing.reset} onSigned={onSigned} />
      )}
    </form>
  );
};

/** The key that gives the account to a new wallet, together with the platform: to be named, or as it was named. */
export const BackupKey = () => {
  const { t } = useTranslator();
  const { data } = useQuery(accountQuery);
  if (data?.deployment === undefined) return null;
  const { backup, cooldownSeconds, owner } = data.deployment;
  if (backup === undefined && !lacksBackup(data)) return null;
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('backup.title')}</h2>
        <p className="soft">{t('backup.lead')}</p>
      </div>
      {backup === undefined ? (
        <BackupKeyForm owner={owner} />
      ) : (
        <>
          <Terms address={backup.key} exitSeconds={cooldownSeconds} recoverySeconds={backup.cooldownSeconds} />
          <p className="soft">{t('backup.keep')}</p>
        </>
      )}
    </section>
  );
};
