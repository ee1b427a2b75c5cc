import type { ReactNode } from 'react';

/** What a list shows while there is nothing in it: why, and what to do. */
export const Empty = ({ icon, title, hint, children }: { icon: ReactNode; title: string; hint?: string; children?: ReactNode }) => (
  <div className="empty">
    {icon}
    <div className="stack-tight">
      <p className="strong">{title}</p>
      {hint === undefined ? null : <p>{hint}</p>}
    </div>
    {children}
  </div>
);
