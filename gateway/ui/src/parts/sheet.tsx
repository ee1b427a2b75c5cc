import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useTranslator } from '../i18n/translator.tsx';
import { Button } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { Toasts } from './toast.tsx';

type SheetProps = {
  title: string;
  onClose: () => void;
  children: ReactNode /** On a wide screen, at its side instead of in its middle. */;
  drawer?: boolean;
};

/**
 * A modal dialog: at the bottom of a phone, in the middle or at the side of a wide screen. It is open while it is rendered. The browser keeps the
 * focus inside, closes it with Escape, and gives the focus back.
 */
export const Sheet = ({ title, onClose, children, drawer = false }: SheetProps) => {
  const { t } = useTranslator();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // Closed before it leaves the document, the browser knows whom the focus goes back to.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element?.open === false) {
      element.showModal();
      heading.current?.focus();
    }
    return () => element?.close();
  }, []);
  // The pressed control may be gone: the focus would be lost to the page below.
  useEffect(() => {
    if (dialog.current?.contains(document.activeElement) === false) heading.current?.focus({ preventScroll: true });
  });
  return (
    <dialog
      ref={dialog}
      className={drawer ? 'sheet sheet-drawer' : 'sheet'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="sheet-body">
        <div className="sheet-head">
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Button kind="icon" aria-label={t('app.close')} onClick={onClose}>
            <CloseIcon />
          </Button>
        </div>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
};
