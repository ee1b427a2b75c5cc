import type { Operator } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorsQuery } from '../../api/queries.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { Screen } from '../../parts/screen.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Invite } from './invite.tsx';
import { OpenLinks } from './open-links.tsx';
import { OperatorPasskeys } from './operator-passkeys.tsx';
import { OperatorRoles } from './operator-roles.tsx';

/** Operators of the back office and their roles. */
export const OperatorsScreen = () => {
  const { t, word } = useTranslator();
  const may = useMay();
  const operators = useQuery({ ...operatorsQuery, enabled: may('operators.manage') });
  const me = useQuery(sessionQuery).data?.operator.id;
  const [isInviting, setInviting] = useState(false);
  const [asked, setAsked] = useState<Operator>();
  const [shown, setShown] = useState<Operator>();
  const [unlinked, setUnlinked] = useState<Operator>();
  const [changed, setChanged] = useState<Operator>();
  return (
    <Screen
      title={t('operators.title')}
      needs="operators.manage"
      action={
        <Button kind="primary" onClick={() => setInviting(true)}>
          {t('operators.invite')}
        </Button>
      }
    >
      <section className="panel">
        {operators.isPending ? <SkeletonRows /> : null}
        <Failure error={operators.error} onRetry={() => void operators.refetch()} />
        {operators.data === undefined ? null : (
          <Table
            caption={t('operators.title')}
            rows={operators.data.operators}
            keyOf={({ id }) => id}
            columns={[
              {
                head: t('operators.name'),
                cell: ({ name, email }) => (
                  <>
                    <span className="strong">{name}</span> <span className="soft">{email}</span>
                  </>
                ),
              },
              { head: t('office.roles'), cell: ({ roles }) => roles.map((role) => word('role.', role)).join(', ') },
              { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
              {
                head: t('operators.provider'),
                cell: ({ provider }) => (provider === undefined ? null : <span className="soft small">{provider.subject}</span>),
              },
              { head: t('operators.passkeys'), end: true, cell: ({ passkeys }) => <span className="numbers">{passkeys.length}</span> },
              {
                head: t('operators.last'),
                cell: ({ lastSignInAt }) => (lastSignInAt === undefined ? t('operators.never') : <Time at={lastSignInAt} look="short" />),
              },
              {
                head: ' ',
                end: true,
                cell: (operator) =>
                  operator.status === 'active' && operator.id !== me ? (
                    <span className="row-actions">
                      <Button small onClick={() => setShown(operator)}>
                        {t('operators.passkeys')}
                      </Button>
                      {operator.roles.length === 0 ? null : (
                        <Button small onClick={() => setChanged(operator)}>
                          {t('office.roles')}
                        </Button>
                      )}
                      {operator.provider === undefined ? null : (
                        <Button small onClick={() => setUnlinked(operator)}>
                          {t('operators.unlink')}
                        </Button>
                      )}
                      <Button small onClick={() => setAsked(operator)}>
                        {t('operators.disable')}
                      </Button>
                    </span>
                  ) : null,
              },
            ]}
          />
        )}
      </section>
      <OpenLinks />
      {unlinked?.provider === undefined ? null : (
        <ActionDialog
          title={t('operators.unlink_title', { name: unlinked.name })}
          lead={t('operators.unlink_lead', { name: unlinked.name, ...unlinked.provider })}
          action={t('operators.unlink')}
          danger
          path={`/api/operators/${encodeURIComponent(unlinked.id)}/provider/unlink`}
          touches={[['operators']]}
          done={t('operators.unlinked')}
          onClose={() => setUnlinked(undefined)}
        />
      )}
      {shown === undefined ? null : <OperatorPasskeys of={shown} onClose={() => setShown(undefined)} />}
      {changed === undefined ? null : <OperatorRoles of={changed} onClose={() => setChanged(undefined)} />}
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
      {asked === undefined ? null : (
        <ActionDialog
          title={t('operators.disable_title', { name: asked.name })}
          lead={t('operators.disable_lead')}
          action={t('operators.disable')}
          danger
          path={`/api/operators/${encodeURIComponent(asked.id)}/disable`}
          touches={[['operators']]}
          done={t('operators.disable_done')}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Screen>
  );
};
