import type { Operator } from '@florin/back-office/contract';
import { useTranslator } from '../../i18n/i18n.ts';

export type Role = Operator['roles'][number];

/** Some of several roles, with what each lets people do. */
export const RoleFields = ({
  of,
  value,
  onChange,
  problem,
}: {
  of: readonly Role[];
  value: readonly Role[];
  onChange: (roles: readonly Role[]) => void;
  problem: string | undefined;
}) => {
  const { t } = useTranslator();
  return (
    <fieldset className="field">
      <legend>{t('office.roles')}</legend>
      {of.map((role) => (
        <label key={role} className="choice">
          <input
            type="checkbox"
            checked={value.includes(role)}
            onChange={({ target }) => onChange(target.checked ? [...value, role] : value.filter((other) => other !== role))}
          />
          <span>
            <span className="strong">{t(`role.${role}`)}</span>
            <br />
            <span className="soft small">{t(`role_does.${role}`)}</span>
          </span>
        </label>
      ))}
      <p className="field-problem" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
    </fieldset>
  );
};
