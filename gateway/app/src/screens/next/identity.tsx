import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const isWebPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Sends the person to the page of the provider, which sends them back. */
const start = async (): Promise<void> => {
  const { url } = await client.kyc.createKycSession();
  if (isWebPage(url)) location.assign(url);
};

export const Identity = ({ lead }: { lead: string }) => {
  const { t } = useTranslator();
  const starting = useMutation({ mutationFn: start });
  return (
    <div className="panel">
      <p className="soft">{lead}</p>
      <Failure error={starting.error} />
      <Button kind="primary" busy={starting.isPending} onClick={() => starting.mutate()}>
        {t('identity.start')}
      </Button>
    </div>
  );
};
