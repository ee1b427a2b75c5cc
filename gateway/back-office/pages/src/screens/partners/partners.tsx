import { Button } from '@florin/ui/parts/button.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslator } from '../../i18n/i18n.ts';
import { Screen } from '../../parts/screen.tsx';
import { Endpoints } from './endpoints.tsx';
import { Keys } from './keys.tsx';

/** The keys of a partner's servers, and where its events are delivered to. */
export const PartnersScreen = () => {
  const { t } = useTranslator();
  const navigate = useNavigate();
  const { partner = '', endpoint } = useSearch({ from: '/partners' });
  const [typed, setTyped] = useState(partner);
  return (
    <Screen title={t('office.partners')} needs="partners.read">
      <form
        className="panel inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') void navigate({ to: '/partners', search: { partner: typed.trim() } });
        }}
      >
        <TextField label={t('partners.partner')} value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} required />
        <Button type="submit">{t('partners.show')}</Button>
      </form>
      {partner === '' ? null : (
        <>
          <Keys key={`keys ${partner}`} partnerId={partner} />
          <Endpoints key={`endpoints ${partner}`} partnerId={partner} chosen={endpoint} />
        </>
      )}
    </Screen>
  );
};
