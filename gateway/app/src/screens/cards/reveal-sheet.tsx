import type { Card } from '@florin/client';
import { Button } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { formatExpiry } from '@florin/ui/parts/time.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { useShortSecret } from './use-short-secret.ts';

type Details = { pan: string; expMonth: number; expYear: number; cvv2: string };

const readDetails = async (cardId: string): Promise<Details> => {
  const [{ reveal }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  return reveal(client, await currentSigner(), { cardId, action: 'view-details' });
};

/** Digits in groups of four, as on a card. */
const inGroups = (pan: string): string => pan.replace(/(.{4})(?=.)/g, '$1 ');

/** Number and security code, which only this page can decrypt, for a minute. */
export const RevealSheet = ({ card, onClose }: { card: Card; onClose: () => void }) => {
  const { t } = useTranslator();
  const secret = useShortSecret<Details>();
  const reading = useMutation({
    mutationFn: () => readDetails(card.id),
    // Nothing is kept by the mutation itself.
    gcTime: 0,
    onSuccess: (details) => {
      secret.show(details);
      reading.reset();
      void refresh('access-log');
    },
  });
  const { value: details } = secret;
  return (
    <Sheet title={t('reveal.title')} onClose={onClose}>
      {details === undefined ? (
        <>
          <p className="soft">{t('reveal.lead')}</p>
          <Failure error={reading.error} />
          <Button kind="primary" busy={reading.isPending} onClick={() => reading.mutate()}>
            {t('reveal.show')}
          </Button>
        </>
      ) : (
        <>
          <dl className="facts secret">
            <div>
              <dt>{t('reveal.number')}</dt>
              <dd>{inGroups(details.pan)}</dd>
            </div>
            <div>
              <dt>{t('reveal.expiry')}</dt>
              <dd>{formatExpiry(details.expMonth, details.expYear)}</dd>
            </div>
            <div>
              <dt>{t('reveal.code')}</dt>
              <dd>{details.cvv2}</dd>
            </div>
          </dl>
          <div className="actions">
            <CopyButton text={details.pan} label={t('reveal.copy')} />
            <CopyButton
              text={`${String(details.expMonth).padStart(2, '0')}/${String(details.expYear).slice(-2)}`}
              label={t('reveal.copy_expiry')}
            />
            <CopyButton text={details.cvv2} label={t('reveal.copy_code')} />
            <Button small onClick={secret.hide}>
              {t('reveal.hide')}
            </Button>
          </div>
          <p className="soft small numbers">{t('reveal.hides', { seconds: String(secret.left) })}</p>
        </>
      )}
    </Sheet>
  );
};
