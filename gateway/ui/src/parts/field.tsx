import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';

type Described = { label: string; hint?: ReactNode /** The value's problem; announced at once. */; problem?: string | undefined };

/** Ids that tie a control to its label, hint and problem. */
const useIds = ({ hint, problem }: Described) => {
  const id = useId();
  const describedBy = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`].filter(Boolean).join(' ');
  return { id, control: { id, 'aria-invalid': problem !== undefined || undefined, 'aria-describedby': describedBy || undefined } };
};

const Frame = ({ id, label, hint, problem, children }: Described & { id: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint === undefined ? null : (
      <p className="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    <p className="field-problem" id={`${id}-problem`} role="alert" hidden={problem === undefined}>
      {problem}
    </p>
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
  const { id, control } = useIds({ label, hint, problem });
  const input = <input {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />;
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
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
  const { id, control } = useIds({ label, hint, problem });
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
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
  const { id, control } = useIds({ label, hint, problem });
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
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
