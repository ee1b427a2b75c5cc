import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { SpanEnd } from './tracing.ts';

/** Ends a span. Messages of errors are left out, because they may quote what a caller sent. */
export const endSpan = (span: Span, { code, fault = true }: SpanEnd = {}): void => {
  if (code !== undefined && span.isRecording()) {
    span.setAttribute('error.type', code);
    if (fault) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};
