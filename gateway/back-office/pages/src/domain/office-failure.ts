import { describeFailure, type FailureView } from '@florin/ui/page/failure-view.ts';

type Detail = NonNullable<FailureView['detail']>;

const block =
  (key: string) =>
  (value: string): Detail => ({ key, values: { block: value } });

/** The tie between two accounts, with its text. The text of the code says that they are one account. */
const TIES: Readonly<Record<string, string>> = {
  mailbox: 'four_eyes.mailbox',
  provider: 'four_eyes.provider',
  passkey: 'four_eyes.passkey',
  invitation: 'four_eyes.invitation',
};

/** The text for each fact that says more than an error's code. */
const TEXTS: Readonly<Record<string, (value: string) => Detail | undefined>> = {
  atMostBlock: block('halts.at_most'),
  atLeastBlock: block('halts.at_least'),
  finalBlock: block('halts.not_final'),
  tie: (value) => {
    const key = TIES[value];
    return key === undefined ? undefined : { key, values: {} };
  },
};

const detailsOf = (error: unknown): Readonly<Record<string, unknown>> => {
  const details = typeof error === 'object' && error !== null ? (error as { details?: unknown }).details : undefined;
  return typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {};
};

/** Reads an error of the process, and the facts by which the page says what is expected. */
export const describeOfficeFailure = (error: unknown): FailureView => {
  const view = describeFailure(error);
  for (const [name, value] of Object.entries(detailsOf(error))) {
    const detail = typeof value === 'string' ? TEXTS[name]?.(value) : undefined;
    if (detail !== undefined) return { ...view, detail };
  }
  return view;
};
