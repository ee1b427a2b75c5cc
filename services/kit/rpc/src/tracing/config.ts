import { z } from 'zod';
import type { Logger } from '../observe/index.ts';
import type { Tracing } from './tracing.ts';

/** `name=value,…` with percent-encoded values, as OpenTelemetry defines it. */
export const exporterHeaders = z
  .string()
  .transform((text) => text.split(',').map((pair) => pair.trim().split(/=(.*)/s, 2)))
  .refine((pairs) => pairs.every(([name = '', value]) => /^[\w-]+$/.test(name.trim()) && value !== undefined), 'must be name=value,…')
  .transform((pairs, context) => {
    try {
      return Object.fromEntries(pairs.map(([name = '', value = '']) => [name.trim(), decodeURIComponent(value.trim())]));
    } catch {
      context.addIssue({ code: 'custom', message: 'must be percent-encoded' });
      return z.NEVER;
    }
  });

/** Configuration of traces; a part of `serviceShape`. */
export type TracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Readonly<Record<string, string>> | undefined;
  OTEL_TRACES_SAMPLER_ARG?: number | undefined;
};

export const DEFAULT_SAMPLING_RATIO = 0.1;

/** Opens the traces of a process if a collector is configured. The exporter is loaded only then. */
export const openConfiguredTracing = async (service: string, config: TracingConfig, logger: Logger): Promise<Tracing | undefined> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing({ service, endpoint, headers, ratio: ratio ?? DEFAULT_SAMPLING_RATIO, logger });
};
