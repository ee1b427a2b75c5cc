import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../observe/index.ts';

/** Logs when exports begin to fail, and when they succeed again: one line each, because the batches that fail may be many. */
export const reportOutages = (exporter: SpanExporter, logger: Logger): SpanExporter => {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing)
          logger.warn({ err: result.error }, 'exporting spans failed; they are dropped until the collector takes them');
        if (!failed && failing) logger.info('the collector takes spans again');
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
