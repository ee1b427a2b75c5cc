import type { Account, Deployment } from '@florin/client';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/**
 * Saves the account's file. The node of the wallet is believed, and the gateway, which serves this page too, about the wallets that own the Safe and that it was made
 * for: whoever kept the file from before a recovery need not believe it.
 */
const saveAccountFile = async ({ reference, chain }: Account, { owner, backup, firstOwner }: Deployment): Promise<void> => {
  const [{ leaveFileOf }, { currentNode }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  // Only the chain tells whose the Safe is once it has a backup key.
  const node = backup === undefined ? {} : { node: await currentNode(Number(chain.id)) };
  const file = await leaveFileOf(client, owner, { ...node, ...(firstOwner === undefined ? {} : { firstOwner }) });
  saveFile(`florin-leave-${reference}.json`, 'application/json', JSON.stringify(file, undefined, 2));
};

const savePage = async (): Promise<void> => {
  const { default: page } = await import('@florin/client/leave.html?raw');
  saveFile('leave.html', 'text/html', page);
};

/** Saves the files with which a person takes the money along without the platform: that of the account, and the page that reads it. */
export const Leave = () => {
  const { t } = useTranslator();
  const account = useQuery(accountQuery);
  const saving = useMutation({ mutationFn: (work: () => Promise<void>) => work() });
  const { data } = account;
  if (data?.deployment === undefined) return null;
  const { deployment } = data;
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('leave.title')}</h2>
        <p className="soft">{t('leave.lead')}</p>
      </div>
      <Failure error={saving.error} />
      <div className="actions">
        <Button busy={saving.isPending} onClick={() => saving.mutate(() => saveAccountFile(data, deployment))}>
          {t('leave.file')}
        </Button>
        <Button onClick={() => saving.mutate(savePage)}>{t('leave.page')}</Button>
      </div>
    </section>
  );
};
