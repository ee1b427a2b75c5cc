import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { partnersQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Screen } from '../../parts/screen.tsx';
import { Endpoints } from './endpoints.tsx';
import { Keys } from './keys.tsx';

/** The keys of a partner's servers, and where its events are delivered to. */
export const PartnersScreen = () => {
  const { t } = useTranslator();
  const may = useMay();
  const navigate = useNavigate();
  const { partner = '', endpoint } = useSearch({ from: '/partners' });
  const known = useQuery({ ...partnersQuery, enabled: may('partners.read') });
  const partners = known.data?.partners ?? [];
  const isKnown = partners.some(({ id }) => id === partner);
  return (
    <Screen title={t('office.partners')} needs="partners.read">
      <section className="panel">
        {known.isPending ? <SkeletonRows rows={1} /> : null}
        <Failure error={known.error} onRetry={() => void known.refetch()} />
        {known.data === undefined ? null : (
          <SelectField
            label={t('partners.partner')}
            value={isKnown ? partner : ''}
            onChange={(chosen) => void navigate({ to: '/partners', search: { partner: chosen } })}
            placeholder={t('partners.choose')}
            options={partners.map(({ id, name }) => ({ value: id, text: `${name} (${id})` }))}
          />
        )}
        {known.data !== undefined && partner !== '' && !isKnown ? (
          <p className="notice notice-warn">{t('partners.unknown', { partner })}</p>
        ) : null}
      </section>
      {isKnown ? (
        <>
          <Keys key={`keys ${partner}`} partnerId={partner} />
          <Endpoints key={`endpoints ${partner}`} partnerId={partner} chosen={endpoint} />
        </>
      ) : null}
    </Screen>
  );
};
