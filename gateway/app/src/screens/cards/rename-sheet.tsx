import type { Card } from '@florin/client';
import { hasFieldProblem } from '@florin/ui/page/failure-view.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { isTooLong } from '../../domain/card-name.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { CardPicture } from './card-picture.tsx';

/** In the order in which they are offered. A card without a choice has the first. */
const COLOURS = ['green', 'blue', 'violet', 'red', 'brown', 'grey'] as const;

export const RenameSheet = ({ card, onClose }: { card: Card; onClose: () => void }) => {
  const { t, word } = useTranslator();
  const [cardName, setCardName] = useState(card.cardName);
  const [colour, setColour] = useState(card.colour ?? COLOURS[0]);
  const renaming = useMutation({
    mutationFn: () => client.cards.renameCard({ cardId: card.id, cardName: cardName.trim(), colour }),
    onSuccess: async () => {
      await refresh('cards');
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTooLong(cardName)) return;
    renaming.mutate();
  };
  const problem = isTooLong(cardName) || hasFieldProblem(renaming.error, 'cardName') ? t('order.name_wrong') : undefined;
  return (
    <Sheet title={t('card.rename')} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <TextField label={t('order.name')} hint={t('order.name_hint')} value={cardName} onChange={setCardName} required problem={problem} />
        <SelectField
          label={t('card.colour')}
          value={colour}
          onChange={(value) => setColour(COLOURS.find((one) => one === value) ?? colour)}
          options={COLOURS.map((value) => ({ value, text: word('card.colour_', value) }))}
        />
        <CardPicture {...card} name={cardName} colour={colour} />
        {problem === undefined ? <Failure error={renaming.error} /> : null}
        <Button kind="primary" type="submit" busy={renaming.isPending}>
          {t('app.save')}
        </Button>
      </form>
    </Sheet>
  );
};
