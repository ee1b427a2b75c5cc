/** The methods of an object, each of which may be interrupted before or after its effect. */
export const interruptible = <T extends object>(parts: T, step: () => void | Promise<void>): T =>
  new Proxy(parts, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]): Promise<unknown> => {
        await step();
        const result: unknown = await Reflect.apply(value, target, args);
        await step();
        return result;
      };
    },
  });
