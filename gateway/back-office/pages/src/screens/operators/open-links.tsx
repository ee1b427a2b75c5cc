import type { OpenInvitation } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationsQuery } from '../../api/queries.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { Table } from '../../parts/table.tsx';

/** Links that nobody has used. Another administrator approves those that give rights over money or operators. */
export const OpenLinks = () => {
  const { t, word } = useTranslator();
  const may = useMay();
  const found = useQuery({ ...invitationsQuery, enabled: may('operators.manage') });
  const me = useQuery(sessionQuery).data?.operator.id;
  const [asked, setAsked] = useState<{ what: 'approve' | 'end'; link: OpenInvitation }>();
  const rolesOf = ({ roles }: OpenInvitation) => roles.map((role) => word('role.', role)).join(', ');
  if (found.data?.invitations.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t('operators.open_links')}</h2>
      <Failure error={found.error} onRetry={() => void found.refetch()} />
      {found.data === undefined ? null : (
        <Table
          caption={t('operators.open_links')}
          rows={found.data.invitations}
          keyOf={({ id }) => id}
          columns={[
            { head: t('operators.email'), cell: ({ email }) => email },
            { head: t('office.roles'), cell: rolesOf },
            { head: t('operators.invited_by'), cell: ({ invitedBy }) => invitedBy?.name ?? t('operators.command_line') },
            { head: t('office.status'), cell: ({ waits }) => t(waits ? 'operators.waiting' : 'operators.ready') },
            { head: t('operators.expires'), cell: ({ expiresAt }) => <Time at={expiresAt} look="short" /> },
            {
              head: ' ',
              end: true,
              cell: (link) => (
                <span className="row-actions">
                  {link.waits && link.invitedBy?.id !== me ? (
                    <Button small onClick={() => setAsked({ what: 'approve', link })}>
                      {t('operators.approve')}
                    </Button>
                  ) : null}
                  <Button small onClick={() => setAsked({ what: 'end', link })}>
                    {t('operators.end_link')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {asked?.what === 'approve' ? (
        <ActionDialog
          title={t('operators.approve_title', { email: asked.link.email })}
          lead={t('operators.approve_lead', { roles: rolesOf(asked.link) })}
          action={t('operators.approve')}
          path={`/api/operators/invitations/${asked.link.id}/approve`}
          confirms={t('passkeys.confirms')}
          touches={[['operators']]}
          done={t('operators.approved')}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      {asked?.what === 'end' ? (
        <ActionDialog
          title={t('operators.end_link_title', { email: asked.link.email })}
          lead={t('operators.end_link_lead')}
          action={t('operators.end_link')}
          danger
          path={`/api/operators/invitations/${asked.link.id}/end`}
          touches={[['operators']]}
          done={t('operators.link_ended')}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </section>
  );
};
