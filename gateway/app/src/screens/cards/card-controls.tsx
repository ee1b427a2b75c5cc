import type { CardControls as Controls } from '@florin/client';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { client } from '../../api/client.ts';
import { controlsQuery, queries, refresh } from '../../api/queries.ts';
import { BLOCKABLE, changesOf, withBlocked } from '../../domain/blocks.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { withApproval } from '../../wallet/approved.ts';
import { BlockedList } from './blocked-list.tsx';
import { ShopLock } from './shop-lock.tsx';

const SWITCHES = ['online', 'contactless', 'atm', 'singleUse'] as const;

type SwitchProps = { name: (typeof SWITCHES)[number]; isOn: boolean; isBusy: boolean; onChange: (isOn: boolean) => void };

const Switch = ({ name, isOn, isBusy, onChange }: SwitchProps) => {
  const { t, word } = useTranslator();
  const id = useId();
  return (
    <div className="switch-row">
      <div>
        <label htmlFor={id} className="strong">
          {word('controls.', name)}
        </label>
        <p className="soft small" id={`${id}-hint`}>
          {t(`controls.${name}_hint`)}
        </p>
      </div>
      <input
        id={id}
        className="switch"
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-busy={isBusy || undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          if (!isBusy) onChange(event.target.checked);
        }}
      />
    </div>
  );
};

/** Where a card works. A change shows at once, and is undone if the platform rejects it. */
export const CardControls = ({ cardId }: { cardId: string }) => {
  const { t } = useTranslator();
  const query = controlsQuery(cardId);
  const controls = useQuery(query);
  const changing = useMutation({
    mutationFn: (next: Controls) => {
      // Only what changes, so that a text to sign names nothing else.
      const given = { cardId, ...changesOf(controls.data, next) };
      return withApproval({ change: 'controls', given }, (approval) => client.cards.updateCardControls({ ...given, ...approval }));
    },
    onSuccess: async (stored) => {
      const isOther = stored.singleUse !== controls.data?.singleUse;
      queries.setQueryData(query.queryKey, stored);
      // The card says by what it was used up.
      if (isOther) await refresh('cards');
    },
  });
  const shown = changing.isPending ? changing.variables : controls.data;
  return (
    <section className="panel">
      <h2>{t('card.controls')}</h2>
      {controls.isPending ? <SkeletonRows /> : null}
      <Failure error={controls.error} onRetry={() => void controls.refetch()} />
      {shown === undefined ? null : (
        <>
          <div>
            {SWITCHES.map((name) => (
              <Switch
                key={name}
                name={name}
                isOn={shown[name]}
                isBusy={changing.isPending}
                onChange={(isOn) => changing.mutate({ ...shown, [name]: isOn })}
              />
            ))}
          </div>
          <ShopLock
            cardId={cardId}
            allowed={shown.merchants.allow}
            denied={shown.merchants.deny}
            isBusy={changing.isPending}
            onChange={(allow) => changing.mutate({ ...shown, merchants: { ...shown.merchants, allow } })}
          />
          {BLOCKABLE.map((list) => (
            <BlockedList
              key={list}
              list={list}
              blocked={shown[list].deny}
              allowed={shown[list].allow}
              isBusy={changing.isPending}
              onChange={(code, isBlocked) => changing.mutate(withBlocked(shown, list, code, isBlocked))}
            />
          ))}
        </>
      )}
      <Failure error={changing.error} />
    </section>
  );
};
