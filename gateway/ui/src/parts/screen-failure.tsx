import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslator } from '../i18n/translator.tsx';
import { Failure } from './failure.tsx';
import { Page } from './page.tsx';

/** In the place of a screen that could not be loaded or drawn. */
export const ScreenFailure = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslator();
  return (
    <Page title={t('failure.title')} narrow>
      <Failure error={error} onRetry={() => location.reload()} />
    </Page>
  );
};
