import { JOURNEY, milestoneOf, type NextStep } from '../../domain/next-step.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** Steps that only some platforms ask for are listed once one of them is due. */
const SHORT = ['register', 'order_card'] as const;

/** Where on the way to the card a person is. */
export const Journey = ({ step }: { step: NextStep }) => {
  const { t, word } = useTranslator();
  const here = milestoneOf(step);
  if (here === undefined) return null;
  const steps: readonly (typeof JOURNEY)[number][] = SHORT.some((one) => one === here) ? SHORT : JOURNEY;
  const position = steps.indexOf(here);
  return (
    <ol className="steps" aria-label={t('next.steps')}>
      {steps.map((one, index) => (
        <li key={one} data-state={index < position ? 'done' : 'open'} aria-current={index === position ? 'step' : undefined}>
          {word('next.step_', one)}
        </li>
      ))}
    </ol>
  );
};
