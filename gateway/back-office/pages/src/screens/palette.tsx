import { QUEUE_NAMES, QUEUES } from '@florin/back-office/contract/queue-names';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { sessionQuery, useMay } from '../api/session.ts';
import { readViews } from '../domain/queue-views.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useScreens } from './menu.tsx';

type Place = { text: string; go: NavigateOptions };

/** The places that this operator can go to: screens, queues, and saved filters of queues. */
const usePlaces = (): Place[] => {
  const { t, word } = useTranslator();
  const may = useMay();
  const screens = useScreens();
  const operatorId = useQuery(sessionQuery).data?.operator.id ?? '';
  const queues = QUEUE_NAMES.filter((queue) => may(QUEUES[queue].access));
  return [
    ...screens.map(({ to, text }): Place => ({ text, go: { to } })),
    ...queues.map(
      (queue): Place => ({
        text: `${t('office.queues')}: ${word('queues.name_', queue)}`,
        go: { to: '/queues/$queue', params: { queue } },
      }),
    ),
    ...readViews(operatorId)
      .filter(({ queue }) => queues.includes(queue))
      .map(
        ({ queue, name, ...search }): Place => ({
          text: `${word('queues.name_', queue)}: ${name}`,
          go: { to: '/queues/$queue', params: { queue }, search },
        }),
      ),
    { text: t('passkeys.title'), go: { to: '/passkeys' } },
  ];
};

/** Goes to a place by a part of its name, or searches for what was typed: a person, a payment or anything else by its id. */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  const may = useMay();
  const navigate = useNavigate();
  const search = useDraft('/api/searches value');
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const text = typed.trim();
  const isFound = (place: Place) => place.text.toLowerCase().includes(text.toLowerCase());
  const finding: Place[] = text !== '' && may('people.read') ? [{ text: t('palette.find', { value: text }), go: { to: '/people' } }] : [];
  const places = [...usePlaces().filter(isFound), ...finding];
  const chosen = Math.min(at, places.length - 1);

  const follow = (place: Place | undefined): void => {
    if (place === undefined) return;
    if (finding.includes(place)) search.change(text);
    onClose();
    void navigate(place.go);
  };
  const move = (steps: number): void => setAt((chosen + steps + places.length) % Math.max(places.length, 1));

  return (
    <Sheet title={t('palette.title')} onClose={onClose}>
      <form
        ref={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          follow(places[chosen]);
        }}
      >
        <TextField
          label={t('palette.where')}
          hint={t('palette.hint')}
          value={typed}
          onChange={(value) => {
            setTyped(value);
            setAt(0);
          }}
          role="combobox"
          aria-expanded={places.length > 0}
          aria-controls={id}
          aria-activedescendant={places.length === 0 ? undefined : `${id}-${chosen}`}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={(event) => {
            const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (steps === undefined) return;
            event.preventDefault();
            move(steps);
          }}
        />
        <div id={id} role="listbox" aria-label={t('palette.places')} className="palette">
          {places.map((place, index) => (
            // The focus stays in the field, whose keys choose.
            <div
              key={place.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              tabIndex={-1}
              onClick={() => follow(place)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') follow(place);
              }}
            >
              {place.text}
            </div>
          ))}
        </div>
        {places.length === 0 ? <p className="soft">{t('palette.none')}</p> : null}
      </form>
    </Sheet>
  );
};
