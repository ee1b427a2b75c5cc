import {
  type InputHTMLAttributes,
  type InvalidEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { useTranslator } from '../i18n/translator.tsx';

type Described = { label: string; hint?: ReactNode /** The value's problem; announced at once. */; problem?: string | undefined };

/** The problem of a control's value, and ids that tie the control to its label, hint and problem. */
const useControl = (value: string, { hint, problem: given }: Described) => {
  const { t } = useTranslator();
  const id = useId();
  /** The problem that the browser has found in a value. */
  const [found, setFound] = useState<{ value: string; text: string }>();
  const problem = given ?? (found?.value === value ? found.text : undefined);
  const describedBy = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`].filter(Boolean).join(' ');
  return {
    frame: { id, problem },
    control: {
      id,
      'aria-invalid': problem !== undefined || undefined,
      'aria-describedby': describedBy || undefined,
      // The browser would say it in its own language, in a bubble that goes away.
      onInvalid: (event: InvalidEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => {
        event.preventDefault();
        const { form, validity } = event.currentTarget;
        setFound({ value, text: t(validity.valueMissing ? 'app.missing' : 'app.mistyped') });
        if (form?.querySelector(':is(input, select, textarea):invalid') === event.currentTarget) event.currentTarget.focus();
      },
    },
  };
};

/** The problem of a value, announced at once; empty where there is none. */
export const Problem = ({ id, text }: { id: string; text: string | undefined }) => (
  <p className="field-problem" id={id} role="alert" hidden={text === undefined}>
    {text}
  </p>
);

const Frame = ({ id, label, hint, problem, children }: Described & { id: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint === undefined ? null : (
      <p className="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    <Problem id={`${id}-problem`} text={problem} />
  </div>
);

export type TextFieldProps = Described &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
    value: string;
    onChange: (value: string) => void;
    /** Text after the value, for example a currency. */
    unit?: string;
  };

export const TextField = ({ label, hint, problem, value, onChange, unit, ...rest }: TextFieldProps) => {
  const { frame, control } = useControl(value, { label, hint, problem });
  const input = <input {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />;
  return (
    <Frame {...frame} label={label} hint={hint}>
      {unit === undefined ? (
        input
      ) : (
        <div className="affix">
          {input}
          <span aria-hidden="true">{unit}</span>
        </div>
      )}
    </Frame>
  );
};

type SelectFieldProps = Described &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
    value: string;
    onChange: (value: string) => void;
    options: readonly { value: string; text: string }[];
    /** Text of the empty choice, where nothing is chosen at the start. */
    placeholder?: string;
  };

export const SelectField = ({ label, hint, problem, value, onChange, options, placeholder, ...rest }: SelectFieldProps) => {
  const { frame, control } = useControl(value, { label, hint, problem });
  return (
    <Frame {...frame} label={label} hint={hint}>
      <select {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Frame>
  );
};

type TextAreaFieldProps = Described &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> & { value: string; onChange: (value: string) => void };

export const TextAreaField = ({ label, hint, problem, value, onChange, ...rest }: TextAreaFieldProps) => {
  const { frame, control } = useControl(value, { label, hint, problem });
  return (
    <Frame {...frame} label={label} hint={hint}>
      <textarea {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />
    </Frame>
  );
};

type SegmentsProps = {
  legend: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; text: string }[];
};

/** A choice of few, as radio buttons side by side. */
export const Segments = ({ legend, value, onChange, options }: SegmentsProps) => {
  const name = useId();
  return (
    <fieldset>
      <legend className="visually-hidden">{legend}</legend>
      <div className="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
