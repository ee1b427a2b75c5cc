import type { ChallengeDetail } from '@florin/back-office/contract';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { challengeQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { State } from '../../parts/state.tsx';

const Receipt = ({ of }: { of: ChallengeDetail['receipt'] }) => {
  const { t, word } = useTranslator();
  const mono = (text: string) => (
    <span key="text" className="mono">
      {text}
    </span>
  );
  return (
    <section className="panel">
      <h2>{t('file.receipt')}</h2>
      {of === undefined ? (
        <p className="soft">{t('file.no_receipt')}</p>
      ) : (
        <Facts
          facts={[
            [t('file.decision'), word('decision.', of.decision)],
            [t('file.signer'), mono(of.signer)],
            [t('file.signer_type'), of.signerType],
            [t('file.decided'), <Time key="at" at={of.decidedAt} />],
            [t('file.issued'), <Time key="at" at={of.issuedAt} />],
            [t('file.hash'), mono(of.typedDataHash)],
            [t('file.fingerprint'), mono(of.fingerprint)],
            [t('file.signature'), mono(of.signature)],
          ]}
        />
      )}
    </section>
  );
};

/** An approval with the evidence of its decision. */
export const ChallengeScreen = () => {
  const { t, word } = useTranslator();
  const { userId, challengeId } = useParams({ from: '/people/$userId/challenges/$challengeId' });
  const challenge = useQuery(challengeQuery(userId, challengeId));
  if (challenge.isPending) return <SkeletonRows rows={5} />;
  if (challenge.isError) return <Failure error={challenge.error} onRetry={() => void challenge.refetch()} />;
  const { merchant, amount, status, cardLast4, decision, reference, createdAt, expiresAt, id, receipt } = challenge.data;
  return (
    <>
      <section className="panel">
        <div className="panel-head">
          <h2>{merchant.name}</h2>
          {amount === undefined ? '–' : <Money {...amount} />}
        </div>
        <Facts
          facts={[
            [t('office.status'), <State key="status" of={status} />],
            [t('file.decision'), decision === undefined ? undefined : word('decision.', decision)],
            [t('file.card'), `•••• ${cardLast4}`],
            [t('file.merchant'), [merchant.name, merchant.country].filter(Boolean).join(', ')],
            [
              t('file.reference'),
              reference === '' ? undefined : (
                <span key="reference" className="mono">
                  {reference}
                </span>
              ),
            ],
            [t('office.created'), <Time key="at" at={createdAt} />],
            [t('file.valid_until'), <Time key="until" at={expiresAt} />],
            [
              t('office.id'),
              <span key="id" className="mono">
                {id}
              </span>,
            ],
          ]}
        />
      </section>
      <Receipt of={receipt} />
    </>
  );
};
