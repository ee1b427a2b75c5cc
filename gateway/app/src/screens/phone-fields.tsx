import { TextField } from '@florin/ui/parts/field.tsx';
import { useTranslator } from '../i18n/i18n.ts';

type PhoneFieldProps = {
  label: string;
  value: string;
  onChange: (phone: string) => void;
  problem: string | undefined;
  /** A number that a code was sent to stays as it is. */
  readOnly?: boolean;
};

/** Asks for a phone number. */
export const PhoneField = (props: PhoneFieldProps) => {
  const { t } = useTranslator();
  return <TextField {...props} hint={t('order.phone_hint')} type="tel" autoComplete="tel" required />;
};

/** Asks for the code that was sent to a phone number. */
export const PhoneCodeField = ({ phone, value, onChange }: { phone: string; value: string; onChange: (code: string) => void }) => {
  const { t } = useTranslator();
  return (
    <TextField
      label={t('order.phone_code')}
      hint={t('order.phone_sent', { phone })}
      value={value}
      onChange={onChange}
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      maxLength={6}
      className="code-input"
    />
  );
};
