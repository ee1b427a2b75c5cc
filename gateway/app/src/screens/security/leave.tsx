import type { Account } from '@florin/client';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { accountQuery, userQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/**
 * Saves the account's file. The node of the wallet is believed, and the gateway, which serves this page too, about the wallet that the Safe was made for: whoever
 * kept the file from before a recovery need not believe it.
 */
const saveAccountFile = async (owner: string, { reference, chain, deployment }: Account): Promise<void> => {
  const [{ leaveFileOf }, { currentNode }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  // Only the chain tells whose the Safe is once it has a backup key.
  const node = deployment?.backup === undefined ? {} : { node: await currentNode(Number(chain.id)) };
  const first = deployment?.firstOwner === undefined ? {} : { firstOwner: deployment.firstOwner };
  const file = await leaveFileOf(client, owner, { ...node, ...first });
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
  const owner = useQuery(userQuery).data?.wallets.find(({ primary }) => primary)?.address;
  const saving = useMutation({ mutationFn: (work: () => Promise<void>) => work() });
  if (account.data?.deployment === undefined || owner === undefined) return null;
  const { data } = account;
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('leave.title')}</h2>
        <p className="soft">{t('leave.lead')}</p>
      </div>
      <Failure error={saving.error} />
      <div className="actions">
        <Button busy={saving.isPending} onClick={() => saving.mutate(() => saveAccountFile(owner, data))}>
          {t('leave.file')}
        </Button>
        <Button onClick={() => saving.mutate(savePage)}>{t('leave.page')}</Button>
      </div>
    </section>
  );
};
