import { TextAreaField } from '@florin/ui/parts/field.tsx';
import { isReason, REASON_MAX } from '../domain/reason.ts';
import { useTranslator } from '../i18n/i18n.ts';

type ReasonFieldProps = {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  /** True if somebody tried to go on: only then is a reason that is too short a problem. */
  tried: boolean;
};

/** Asks why. */
export const ReasonField = ({ label, value, onChange, tried }: ReasonFieldProps) => {
  const { t } = useTranslator();
  return (
    <TextAreaField
      label={label ?? t('office.reason')}
      hint={t('office.reason_hint')}
      problem={tried && !isReason(value) ? t('office.reason_short') : undefined}
      value={value}
      onChange={onChange}
      rows={2}
      maxLength={REASON_MAX}
      required
    />
  );
};
