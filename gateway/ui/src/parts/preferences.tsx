import { useState } from 'react';
import { type Language, useTranslator } from '../i18n/translator.tsx';
import { chooseTheme, keepLanguage, readTheme, shownLanguage, type Theme } from '../page/preferences.ts';
import { Segments } from './field.tsx';
import { Sheet } from './sheet.tsx';

/** The languages in their own words. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' };

type PreferencesProps = { /** The languages that the page has. */ languages: readonly Language[] };

/** Chooses language and appearance, for this browser. */
export const PreferenceFields = ({ languages }: PreferencesProps) => {
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
          value={shownLanguage()}
          onChange={(language) => {
            keepLanguage(language as Language);
            // The texts of the other language are files of their own.
            location.reload();
          }}
          options={languages.map((language) => ({ value: language, text: NAMES[language] }))}
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
export const Preferences = ({ languages, onClose }: PreferencesProps & { onClose: () => void }) => {
  const { t } = useTranslator();
  return (
    <Sheet title={`${t('app.language')}, ${t('app.theme')}`} onClose={onClose}>
      <PreferenceFields languages={languages} />
    </Sheet>
  );
};
