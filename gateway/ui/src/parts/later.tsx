import { type ComponentType, lazy, useState } from 'react';

/** A component whose file is loaded when it is drawn for the first time, or ahead of that. */
export type Later<Props> = ComponentType<Props> & {
  /** Loads the file. @throws TypeError when it cannot be loaded */ preload: () => Promise<unknown>;
};

/**
 * Makes a component of one that is in a file of its own. Once the file is there it is drawn at once: React would show the fallback first, and leaves
 * a fallback for a third of a second.
 */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> => {
  let loaded: ComponentType<Props> | undefined;
  const preload = async (): Promise<ComponentType<Props>> => {
    loaded ??= await load();
    return loaded;
  };
  const Waiting = lazy(async () => ({ default: await preload() })) as unknown as ComponentType<Props>;
  const Later = (props: Props) => {
    const [Part] = useState(() => loaded ?? Waiting);
    return <Part {...props} />;
  };
  return Object.assign(Later, { preload });
};
