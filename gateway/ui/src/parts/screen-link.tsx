import { Link, type LinkComponent, useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';

/** Runs something once the browser has painted what is there now; a hidden page, which paints nothing, runs it as soon as it is seen. */
const afterPaint = (run: () => void): void => {
  // The callback runs before the paint of its frame, and a task that it starts runs after it.
  requestAnimationFrame(() => setTimeout(run));
};

/** Opens a tab or a window of its own. */
const isForBrowser = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || altKey || ctrlKey || shiftKey;

/**
 * A link to another screen. It shows at once that it was pressed (`data-pressed`), and the screen is drawn afterwards, which on a slow device takes longer than a
 * person should wait for an answer.
 */
export const ScreenLink = ((props: ComponentProps<typeof Link>) => {
  const router = useRouter();
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    props.onClick?.(event);
    if (event.defaultPrevented || isForBrowser(event)) return;
    event.preventDefault();
    const link = event.currentTarget;
    link.dataset['pressed'] = '';
    afterPaint(() => {
      delete link.dataset['pressed'];
      void router.navigate(props);
    });
  };
  return <Link {...props} onClick={press} />;
}) as LinkComponent<'a'>;
