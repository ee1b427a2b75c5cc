import type { AuditCall } from '@florin/back-office/contract';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { ShieldIcon } from '@florin/ui/parts/icons.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/http.ts';
import { type AuditFilter, auditQuery, operatorsQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { AuditVerification } from '../../api/types.ts';
import { auditCsv } from '../../domain/audit-csv.ts';
import { periodOf } from '../../domain/period.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';

/** How a call ended. One without an outcome was interrupted, or is under way as the reading that shows it. */
const Outcome = ({ of: { outcome, isThisReading } }: { of: AuditCall }) => {
  const { t } = useTranslator();
  if (outcome !== undefined) return <span className="mono">{outcome.code}</span>;
  return isThisReading ? <span className="soft">{t('audit.this_reading')}</span> : <strong>{t('audit.no_outcome')}</strong>;
};

const Rows = ({ rows }: { rows: readonly AuditCall[] }) => {
  const { t, word } = useTranslator();
  return (
    <Table
      caption={t('audit.title')}
      rows={rows}
      keyOf={({ sequence }) => String(sequence)}
      columns={[
        { head: t('audit.number'), end: true, cell: ({ sequence }) => <span className="numbers">{sequence}</span> },
        { head: t('office.time'), cell: ({ at }) => <Time at={at} look="short" /> },
        { head: t('audit.operator'), cell: ({ operatorId, operatorName }) => <span title={operatorId}>{operatorName ?? operatorId}</span> },
        { head: t('audit.operation'), cell: ({ operation }) => <span className="mono">{operation}</span> },
        {
          head: t('audit.about'),
          cell: ({ subjects }) =>
            Object.keys(subjects).length === 0 ? null : (
              <ul className="subjects">
                {Object.entries(subjects).map(([kind, subject]) => (
                  <li key={kind}>
                    <span className="soft">{word('subject.', kind)}</span> <span className="mono wrap">{subject}</span>
                  </li>
                ))}
              </ul>
            ),
        },
        { head: t('office.reason'), cell: ({ reason }) => reason || '–' },
        { head: t('audit.outcome'), cell: (call) => <Outcome of={call} /> },
      ]}
    />
  );
};

/** Recomputes the chain of hashes at the process. */
const Verify = () => {
  const { t } = useTranslator();
  const verifying = useMutation({ mutationFn: () => ask<AuditVerification>('GET', '/api/audit/verification') });
  const found = verifying.data;
  return (
    <>
      <Button busy={verifying.isPending} onClick={() => verifying.mutate()}>
        {t('audit.verify')}
      </Button>
      <Failure error={verifying.error} />
      {found === undefined ? null : (
        <p role="status" className={found.firstBadSequence === 0 ? 'notice notice-good' : 'notice notice-bad'}>
          {found.firstBadSequence === 0
            ? t('audit.whole', { number: String(found.checkedTo) })
            : t('audit.broken', { number: String(found.firstBadSequence) })}
        </p>
      )}
    </>
  );
};

const Log = ({ filter }: { filter: AuditFilter }) => {
  const { t } = useTranslator();
  const log = useInfiniteQuery(auditQuery(filter));
  const rows = log.data?.pages.flatMap(({ calls }) => calls);
  const removedThrough = log.data?.pages.at(-1)?.removedThrough ?? 0;
  return (
    <section className="panel">
      <div className="list-head">
        <p className="soft">{t('audit.lead')}</p>
        <span className="row-actions">
          <Verify />
          <Button
            disabled={rows === undefined || rows.length === 0}
            onClick={() => saveFile('florin-audit-log.csv', 'text/csv', auditCsv(rows ?? []))}
          >
            {t('audit.csv')}
          </Button>
        </span>
      </div>
      {log.isPending ? <SkeletonRows rows={5} /> : null}
      <Failure error={log.error} onRetry={() => void log.refetch()} />
      {rows?.length === 0 ? <Empty icon={<ShieldIcon />} title={t('audit.none')} /> : null}
      {rows === undefined || rows.length === 0 ? null : <Rows rows={rows} />}
      {log.hasNextPage ? (
        <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('audit.older')}
        </Button>
      ) : null}
      {log.isSuccess && !log.hasNextPage && removedThrough > 0 ? (
        <p className="soft">{t('audit.removed', { number: String(removedThrough) })}</p>
      ) : null}
    </section>
  );
};

/** Reads and actions of operators, with their reasons. */
export const AuditScreen = () => {
  const { t } = useTranslator();
  const may = useMay();
  const [userId, setUserId] = useState('');
  const [operatorId, setOperatorId] = useState('');
  const [operation, setOperation] = useState('');
  const [code, setCode] = useState('');
  const [firstDay, setFirstDay] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [filter, setFilter] = useState<AuditFilter>({ operatorId: '', userId: '', operation: '', code: '', from: '', to: '' });
  // The reading that the log below shows: each is recorded.
  const shown = useInfiniteQuery({ ...auditQuery(filter), enabled: may('audit.read'), placeholderData: keepPreviousData });
  const operators = useQuery({ ...operatorsQuery, enabled: may('operators.manage') });
  return (
    <Screen title={t('audit.title')} needs="audit.read">
      <form
        className="panel inline-form filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter({ operatorId, userId: userId.trim(), operation, code, ...periodOf(firstDay, lastDay) });
        }}
      >
        <SelectField
          label={t('audit.operator')}
          value={operatorId}
          onChange={setOperatorId}
          placeholder={t('audit.everyone')}
          options={(operators.data?.operators ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        />
        <TextField label={t('audit.user')} value={userId} onChange={setUserId} autoComplete="off" spellCheck={false} />
        <SelectField
          label={t('audit.operation')}
          value={operation}
          onChange={setOperation}
          placeholder={t('audit.all')}
          options={(shown.data?.pages[0]?.operations ?? []).map((name) => ({ value: name, text: name }))}
        />
        <SelectField
          label={t('audit.outcome')}
          value={code}
          onChange={setCode}
          placeholder={t('audit.all')}
          options={(shown.data?.pages[0]?.codes ?? []).map((name) => ({ value: name, text: name }))}
        />
        <TextField label={t('audit.first_day')} type="date" max={lastDay} value={firstDay} onChange={setFirstDay} />
        <TextField label={t('audit.last_day')} type="date" min={firstDay} value={lastDay} onChange={setLastDay} />
        <Button type="submit">{t('audit.filter')}</Button>
      </form>
      <Log key={Object.values(filter).join(' ')} filter={filter} />
    </Screen>
  );
};
