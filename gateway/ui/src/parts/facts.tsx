import type { ReactNode } from 'react';

/** A list of facts. Those without a value are left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) =>
      value === undefined || value === null || value === '' ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
