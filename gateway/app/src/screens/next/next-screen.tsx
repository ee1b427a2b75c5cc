import { ButtonLink } from '@florin/ui/parts/button.tsx';
import { SupportLink } from '@florin/ui/parts/failure.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accountQuery } from '../../api/queries.ts';
import type { NextStep } from '../../domain/next-step.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Funds } from './funds.tsx';
import { Identity } from './identity.tsx';
import { Journey } from './journey.tsx';
import { NameBackupKey } from './name-backup-key.tsx';
import { OrderCard } from './order-card.tsx';
import { SetUp } from './set-up.tsx';
import { Terms } from './terms.tsx';

/** Steps that a person can only read about. */
const TOLD = {
  identity_waits: ['identity.waits_title', 'identity.waits_lead'],
  account_waits: ['account_waits.title', 'account_waits.lead'],
  rejected: ['rejected.title', 'rejected.lead'],
  blocked: ['blocked.title', 'blocked.lead'],
  closed: ['closed.title', 'closed.lead'],
} as const;

const isTold = (step: NextStep): step is keyof typeof TOLD => step in TOLD;

/** The way to the recovery of an account whose owner was replaced. */
const RecoveryLink = () => {
  const { t } = useTranslator();
  const { data } = useQuery(accountQuery);
  const { backup, replacement, firstOwner } = data?.deployment ?? {};
  if (backup === undefined || (replacement ?? firstOwner) === undefined) return null;
  return (
    <ButtonLink to="/security" search={{}}>
      {t('recovery.title')}
    </ButtonLink>
  );
};

/** One thing to do, or to wait for, and where on the way it is. */
export const NextScreen = ({ step }: { step: Exclude<NextStep, 'sign_in' | 'register' | 'ready'> }) => {
  const { t } = useTranslator();
  const frame = (title: string, body: ReactNode) => (
    <Page key={step} title={title} narrow>
      {body}
      <Journey step={step} />
    </Page>
  );
  if (isTold(step)) {
    const [title, lead] = TOLD[step];
    return frame(
      t(title),
      <section className="panel">
        <p>{t(lead)}</p>
        {step === 'rejected' || step === 'blocked' ? <SupportLink /> : null}
        {step === 'blocked' ? <RecoveryLink /> : null}
      </section>,
    );
  }
  switch (step) {
    case 'terms':
      return frame(t('terms.title'), <Terms />);
    case 'identity':
      return frame(t('identity.title'), <Identity lead={t('identity.lead')} />);
    case 'identity_again':
      return frame(t('identity.again_title'), <Identity lead={t('identity.again_lead')} />);
    case 'funds':
      return frame(t('funds.title'), <Funds />);
    case 'set_up':
      return frame(t('set_up.title'), <SetUp />);
    case 'backup_key':
      return frame(t('backup.step_title'), <NameBackupKey />);
    case 'order_card':
      return frame(t('order.title'), <OrderCard />);
  }
};
