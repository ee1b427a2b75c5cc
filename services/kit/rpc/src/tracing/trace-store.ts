import { ROOT_CONTEXT, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import { CodedError } from '../errors/index.ts';
import { currentCall } from './call-context.ts';
import { endSpan } from './end-span.ts';
import type { StoreSystem } from './tracing.ts';

type Method = (...args: unknown[]) => unknown;

const typeOf = (thrown: unknown): string =>
  thrown instanceof CodedError ? thrown.code : thrown instanceof Error ? thrown.name : 'unknown';

/** Promises, and queries that run once they are awaited. */
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

const finish = (span: Span, result: unknown): unknown => {
  if (!isThenable(result)) {
    endSpan(span);
    return result;
  }
  return Promise.resolve(result).then(
    (value: unknown) => {
      endSpan(span);
      return value;
    },
    (thrown: unknown) => {
      endSpan(span, { code: typeOf(thrown) });
      throw thrown;
    },
  );
};

/** Methods of stores are arrow functions; what has a prototype is a class, for example a model. */
const isMethod = (value: unknown): value is Method => typeof value === 'function' && !Object.hasOwn(value, 'prototype');

/**
 * Puts spans around the functions of a store. A call in the background, or of a trace that is not recorded, costs one look-up.
 * @param store an object of functions; other properties stay as they are
 */
export const traceStore = <S extends object>(tracer: Tracer, system: StoreSystem, name: string, store: S): S => {
  const traced = (operation: string, method: Method): Method => {
    const spanName = `${name}.${operation}`;
    const attributes = { 'db.system.name': system, 'db.operation.name': operation };
    return (...args) => {
      const parent = currentCall()?.span;
      if (parent?.isRecording() !== true) return method.apply(store, args);
      const span = tracer.startSpan(spanName, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, parent));
      try {
        return finish(span, method.apply(store, args));
      } catch (thrown) {
        endSpan(span, { code: typeOf(thrown) });
        throw thrown;
      }
    };
  };
  const entries = Object.entries(store).map(([key, value]) => [key, isMethod(value) ? traced(key, value) : value]);
  return Object.fromEntries(entries) as S;
};
