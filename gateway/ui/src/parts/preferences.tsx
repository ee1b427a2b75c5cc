import { useState } from 'react';
import { type Language, useTranslator } from '../i18n/translator.tsx';
import { chooseTheme, keepLanguage, readLanguage, readTheme, type Theme } from '../page/preferences.ts';
import { Segments } from './field.tsx';
import { Sheet } from './sheet.tsx';

/** Chooses language and appearance, for this browser. */
export const PreferenceFields = () => {
  const { t } = useTranslator();
  const [theme, setTheme] = useState(readTheme);
  return (
    <>
      <div className="stack-tight">
        <p className="label" aria-hidden="true">
          {t('app.language')}
        </p>
        <Segments
          legend={t('app.language')}
          value={readLanguage()}
          onChange={(language) => {
            keepLanguage(language as Language);
            // The texts of the other language are files of their own.
            location.reload();
          }}
          options={[
            { value: 'en', text: 'English' },
            { value: 'de', text: 'Deutsch' },
          ]}
        />
      </div>
      <div className="stack-tight">
        <p className="label" aria-hidden="true">
          {t('app.theme')}
        </p>
        <Segments
          legend={t('app.theme')}
          value={theme}
          onChange={(next) => {
            chooseTheme(next as Theme);
            setTheme(next as Theme);
          }}
          options={[
            { value: 'system', text: t('app.theme_system') },
            { value: 'light', text: t('app.theme_light') },
            { value: 'dark', text: t('app.theme_dark') },
          ]}
        />
      </div>
    </>
  );
};

/** Language and appearance in a sheet of their own. */
export const Preferences = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  return (
    <Sheet title={`${t('app.language')}, ${t('app.theme')}`} onClose={onClose}>
      <PreferenceFields />
    </Sheet>
  );
};
