import type { Operator } from '@florin/back-office/contract';
import { useState } from 'react';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { type Role, RoleFields } from './role-fields.tsx';

/** Takes roles of another operator away. More of them come by a link. */
export const OperatorRoles = ({ of: { id, name, roles }, onClose }: { of: Operator; onClose: () => void }) => {
  const { t } = useTranslator();
  const [kept, setKept] = useState<readonly Role[]>(roles);
  return (
    <ActionDialog
      title={t('operators.roles_title', { name })}
      lead={t('operators.roles_lead')}
      action={t('operators.roles_keep')}
      danger
      path={`/api/operators/${encodeURIComponent(id)}/roles`}
      body={{ roles: kept }}
      touches={[['operators']]}
      done={t('operators.roles_done')}
      onClose={onClose}
    >
      <RoleFields of={roles} value={kept} onChange={setKept} problem={undefined} />
    </ActionDialog>
  );
};
