import { useTranslator } from '../i18n/translator.tsx';
import { ButtonLink } from './button.tsx';
import { Page } from './page.tsx';

export const NotFound = () => {
  const { t } = useTranslator();
  return (
    <Page title={t('app.not_found')} narrow>
      <div className="panel">
        <p>{t('app.not_found_hint')}</p>
        <ButtonLink kind="primary" to="/">
          {t('app.home')}
        </ButtonLink>
      </div>
    </Page>
  );
};
