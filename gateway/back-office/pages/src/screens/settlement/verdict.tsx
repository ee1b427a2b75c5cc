import type { ReportVerdict } from '@florin/back-office/contract';
import { Time } from '@florin/ui/parts/time.tsx';
import { useTranslator } from '../../i18n/i18n.ts';

/** The verdict of a report, and when it was made. */
export const Verdict = ({ of: { day, madeAt, differences, comparesChain } }: { of: ReportVerdict }) => {
  const { t } = useTranslator();
  const agreement = t(comparesChain ? 'report.agrees' : 'report.agrees_without_chain', { day });
  return (
    <>
      {differences === 0 ? agreement : <strong>{t('report.differs', { count: differences, day })}</strong>}{' '}
      <Time at={madeAt} look="short" />
    </>
  );
};
