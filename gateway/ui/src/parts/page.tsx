import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslator } from '../i18n/translator.tsx';

type PageProps = {
  title: string;
  children: ReactNode /** Actions on the page as a whole. */;
  action?: ReactNode;
  narrow?: boolean;
  quietTitle?: boolean;
  /** Leads to the screen that this one belongs to. */
  back?: ReactNode;
};

/** A screen with its title, which also names the window and takes the focus, so that a screen reader says where the person is now. */
export const Page = ({ title, children, action, narrow = false, quietTitle = false, back }: PageProps) => {
  const { t } = useTranslator();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`;
  }, [title, t]);
  useEffect(() => {
    // A dialog above the page keeps its focus.
    if (document.querySelector('dialog[open]') === null) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main id="content" className={narrow ? 'page page-narrow' : 'page'}>
      <div className={quietTitle ? 'visually-hidden' : 'page-head'}>
        <div>
          {back}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {action}
      </div>
      {children}
    </main>
  );
};
