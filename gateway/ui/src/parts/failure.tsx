import { createContext, type ReactNode, use, useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslator } from '../i18n/translator.tsx';
import { describeFailure, type FailureView } from '../page/failure-view.ts';
import { Button } from './button.tsx';

/** The differences between pages: how they read errors, and how they sign in again. */
const Context = createContext<{
  describe: (error: unknown) => FailureView;
  signInAgain: () => void;
  /** Leads to those who help, with what they have to know; undefined where nobody is known. */
  supportUrl?: (subject?: string) => string | undefined;
}>({ describe: describeFailure, signInAgain: () => location.reload() });

export const FailureHandling = Context.Provider;

/** A link to those who help; nothing where the platform names nobody. @param subject what they have to know */
export const SupportLink = ({ subject }: { subject?: string }) => {
  const { t } = useTranslator();
  const url = use(Context).supportUrl?.(subject);
  return url === undefined ? null : (
    <a className="support" href={url} target="_blank" rel="noreferrer">
      {t('failure.write')}
    </a>
  );
};

type Failed = { error: unknown; retry: () => void };

type Parts = {
  report: (id: string, failed: Failed | undefined) => void;
  /** Codes that are said above the parts. */
  saidAbove: ReadonlySet<string>;
};

/** The failures of the parts of a screen that could not be read. */
const Group = createContext<Parts | undefined>(undefined);

/** Tells the group that a part could not be read. @returns true if the group says so for all parts with this code */
const useGroup = (error: unknown, code: string, onRetry: (() => void) | undefined): boolean => {
  const id = useId();
  const group = use(Group);
  const report = group?.report;
  const retry = useRef(onRetry);
  retry.current = onRetry;
  const isRead = onRetry !== undefined;
  useLayoutEffect(() => {
    if (report === undefined || !isRead || error === null || error === undefined) return;
    report(id, { error, retry: () => retry.current?.() });
    return () => report(id, undefined);
  }, [report, id, error, isRead]);
  return isRead && group?.saidAbove.has(code) === true;
};

/** Says once what several parts of a screen failed with, as where the server is away. Failures with different codes stay in their parts. */
export const OneFailure = ({ children }: { children: ReactNode }) => {
  const { describe } = use(Context);
  const [failed, setFailed] = useState<ReadonlyMap<string, Failed>>(new Map());
  const report = useCallback(
    (id: string, one: Failed | undefined) =>
      setFailed((before) => {
        const others = [...before].filter(([other]) => other !== id);
        return new Map(one === undefined ? others : [...others, [id, one]]);
      }),
    [],
  );
  const shared = [...Map.groupBy(failed.values(), ({ error }) => describe(error).code)].filter(([, ofCode]) => ofCode.length > 1);
  const retry = (ofCode: readonly Failed[]) => {
    for (const part of ofCode) part.retry();
  };
  return (
    <>
      {shared.map(([code, ofCode]) => (
        <Failure key={code} error={ofCode[0]?.error} onRetry={() => retry(ofCode)} />
      ))}
      <Group value={{ report, saidAbove: new Set(shared.map(([code]) => code)) }}>{children}</Group>
    </>
  );
};

type FailureProps = { error: unknown /** Repeats what failed. */; onRetry?: () => void; children?: ReactNode };

/** Says what failed in words, with the code and the id of the request, and offers a way on. Nothing without an error. */
export const Failure = ({ error, onRetry, children }: FailureProps) => {
  const { t, fill, errorText } = useTranslator();
  const { describe, signInAgain } = use(Context);
  const { code, requestId, kind, detail } = describe(error);
  const isSaidAbove = useGroup(error, code, onRetry);
  if (error === null || error === undefined || isSaidAbove) return null;
  const words = detail === undefined ? undefined : fill(detail.key, detail.values);
  const general = kind === 'network' ? t('error.network') : kind === 'validation' ? t('error.validation') : t('error.unknown');
  if (kind === 'choice')
    return (
      <p className="notice" role="status">
        {words}
      </p>
    );
  // Nobody has to be asked for help.
  if (kind === 'input')
    return (
      <p className="notice notice-bad" role="alert">
        {words ?? errorText(code) ?? general}
      </p>
    );
  return (
    <div className="notice notice-bad" role="alert">
      <h3>{t('failure.title')}</h3>
      <p>{words ?? errorText(code) ?? (code.endsWith('_NOT_FOUND') ? errorText('NOT_FOUND') : undefined) ?? general}</p>
      <p className="small">
        {t('failure.code')} <span className="mono">{code}</span>
        {requestId === undefined ? null : (
          <>
            {' · '}
            {t('failure.request')} <span className="mono">{requestId}</span>
          </>
        )}
      </p>
      {kind === 'other' && requestId !== undefined ? (
        <p className="small">
          {t('failure.support')} <SupportLink subject={`${code} ${requestId}`} />
        </p>
      ) : null}
      {kind === 'session' ? (
        <Button small onClick={signInAgain}>
          {t('failure.sign_in')}
        </Button>
      ) : onRetry === undefined ? null : (
        <Button small onClick={onRetry}>
          {t('app.retry')}
        </Button>
      )}
      {children}
    </div>
  );
};
