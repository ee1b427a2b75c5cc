import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextAreaField, TextField } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { partnerKeysQuery, partnerPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { PartnerKey } from '../../api/types.ts';
import { publicKeyOf } from '../../domain/public-key.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { Table } from '../../parts/table.tsx';

type Of = { partnerId: string; scopes: readonly string[] };

const ScopeFields = ({
  of,
  value,
  onChange,
}: {
  of: readonly string[];
  value: readonly string[];
  onChange: (scopes: string[]) => void;
}) => {
  const { t } = useTranslator();
  return (
    <fieldset className="field">
      <legend>{t('partners.scopes')}</legend>
      {of.map((scope) => (
        <label key={scope} className="choice">
          <input
            type="checkbox"
            checked={value.includes(scope)}
            onChange={({ target }) => onChange(of.filter((one) => (one === scope ? target.checked : value.includes(one))))}
          />
          <span className="mono">{scope}</span>
        </label>
      ))}
    </fieldset>
  );
};

/** Registers a key whose public half the partner has sent. */
const Register = ({ partnerId, scopes: all, onClose }: Of & { onClose: () => void }) => {
  const { t } = useTranslator();
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const [scopes, setScopes] = useState([...all]);
  const x = publicKeyOf(key);
  return (
    <ActionDialog
      title={t('partners.register_title', { partner: partnerId })}
      lead={t('partners.register_lead')}
      action={t('partners.register')}
      path={`${partnerPath(partnerId)}/keys`}
      body={{ name: name.trim(), x: x ?? '', scopes }}
      confirms={t('partners.confirms')}
      touches={[['partners', partnerId]]}
      done={t('partners.registered')}
      onClose={onClose}
    >
      <TextField label={t('partners.name')} value={name} onChange={setName} autoComplete="off" maxLength={60} required />
      <TextAreaField
        label={t('partners.key')}
        hint={t('partners.key_hint')}
        problem={key !== '' && x === undefined ? t('partners.key_problem') : undefined}
        value={key}
        onChange={setKey}
        rows={4}
        spellCheck={false}
        required
      />
      <ScopeFields of={all} value={scopes} onChange={setScopes} />
    </ActionDialog>
  );
};

/** Makes a bootstrap token, with which a server of the partner registers its first key itself. */
const Invite = ({ partnerId, scopes: all, onClose }: Of & { onClose: () => void }) => {
  const { t } = useTranslator();
  const [scopes, setScopes] = useState([...all]);
  return (
    <ActionDialog
      title={t('partners.invite_title', { partner: partnerId })}
      lead={t('partners.invite_lead')}
      action={t('partners.invite')}
      path={`${partnerPath(partnerId)}/invitations`}
      body={{ scopes }}
      confirms={t('partners.confirms')}
      touches={[]}
      done={t('partners.invited')}
      onClose={onClose}
    >
      <ScopeFields of={all} value={scopes} onChange={setScopes} />
    </ActionDialog>
  );
};

/** The keys with which servers of a partner sign their tokens. */
export const Keys = ({ partnerId }: { partnerId: string }) => {
  const { t } = useTranslator();
  const may = useMay();
  const keys = useQuery(partnerKeysQuery(partnerId));
  const [asked, setAsked] = useState<'register' | 'invite'>();
  const [revoked, setRevoked] = useState<PartnerKey>();
  const ended = () => setAsked(undefined);
  const of = { partnerId, scopes: keys.data?.scopes ?? [], onClose: ended };
  return (
    <section className="panel">
      <div className="list-head">
        <h2>{t('partners.keys')}</h2>
        {may('partners.manage') && keys.data !== undefined ? (
          <div className="actions">
            <Button onClick={() => setAsked('invite')}>{t('partners.invite')}</Button>
            <Button onClick={() => setAsked('register')}>{t('partners.register')}</Button>
          </div>
        ) : null}
      </div>
      {keys.isPending ? <SkeletonRows rows={2} /> : null}
      <Failure error={keys.error} onRetry={() => void keys.refetch()} />
      {keys.data?.keys.length === 0 ? <p className="soft">{t('partners.no_keys')}</p> : null}
      {keys.data === undefined || keys.data.keys.length === 0 ? null : (
        <Table
          caption={t('partners.keys')}
          rows={keys.data.keys}
          keyOf={({ clientId }) => clientId}
          columns={[
            { head: t('partners.name'), cell: ({ name }) => name },
            { head: t('office.id'), cell: ({ clientId }) => <span className="mono wrap">{clientId}</span> },
            { head: t('partners.scopes'), cell: ({ scopes }) => <span className="mono wrap">{scopes.join(' ')}</span> },
            { head: t('office.created'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
            {
              head: t('partners.ends'),
              cell: ({ expiresAt }) => (expiresAt === undefined ? '–' : <Time at={expiresAt} look="short" />),
            },
            ...(may('partners.manage')
              ? [
                  {
                    head: ' ',
                    end: true,
                    cell: (key: PartnerKey) => (
                      <Button small onClick={() => setRevoked(key)}>
                        {t('partners.revoke')}
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {asked === 'register' ? <Register {...of} /> : null}
      {asked === 'invite' ? <Invite {...of} /> : null}
      {revoked === undefined ? null : (
        <ActionDialog
          title={t('partners.revoke_title', { name: revoked.name })}
          lead={t('partners.revoke_lead')}
          action={t('partners.revoke')}
          danger
          path={`${partnerPath(partnerId)}/keys/${encodeURIComponent(revoked.clientId)}/revoke`}
          confirms={t('partners.confirms')}
          touches={[['partners', partnerId]]}
          done={t('partners.revoked')}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </section>
  );
};
