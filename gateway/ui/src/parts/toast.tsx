import { useEffect, useId, useSyncExternalStore } from 'react';
import { createListeners } from '../page/listeners.ts';

type Toast = { id: number; text: string };

/** Long enough to read twice; the words also stay in the live region for screen readers. */
const SHOWN_MS = 6000;

let shown: Toast | undefined;
let lastId = 0;
const { tell, subscribe } = createListeners();

const change = (next: Toast | undefined): void => {
  shown = next;
  tell();
};

/** Shows a message at the bottom of the screen. It replaces the former message. */
export const showToast = (text: string): void => {
  lastId += 1;
  const toast = { id: lastId, text };
  change(toast);
  setTimeout(() => {
    if (shown?.id === toast.id) change(undefined);
  }, SHOWN_MS);
};

/** The places that are drawn; the last lies above the others. Below a sheet a toast would be covered, and silent for screen readers. */
const places: string[] = [];

export const Toasts = () => {
  const place = useId();
  useEffect(() => {
    places.push(place);
    change(shown);
    return () => {
      places.splice(places.indexOf(place), 1);
      change(shown);
    };
  }, [place]);
  const toast = useSyncExternalStore(subscribe, () => (places.at(-1) === place ? shown : undefined));
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toast === undefined ? null : (
        <p key={toast.id} className="toast">
          {toast.text}
        </p>
      )}
    </div>
  );
};
