import type { OperationName } from './errors.ts';
import type { Calls } from './generated/calls.ts';

/** The function of an operation. */
type FunctionOf<O extends OperationName> = O extends `${infer G extends keyof Calls & string}.${infer N}`
  ? N extends keyof Calls[G]
    ? Extract<Calls[G][N], (...input: never[]) => unknown>
    : never
  : never;

/** The input of an operation: path, query and body as one object. */
export type Input<O extends OperationName> = NonNullable<Parameters<FunctionOf<O>>[0]>;

/** The result of an operation; of a stream, its events. */
export type Output<O extends OperationName> =
  ReturnType<FunctionOf<O>> extends infer Answer
    ? Answer extends Promise<infer Value>
      ? Value
      : Answer extends AsyncIterable<infer Item>
        ? Item
        : never
    : never;
