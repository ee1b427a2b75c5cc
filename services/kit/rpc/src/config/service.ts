import { z } from 'zod';
import { serviceKeySchema, serviceTrustSchema } from '../auth/index.ts';
import { DEFAULT_SAMPLING_RATIO, exporterHeaders } from '../tracing/config.ts';
import { flag, httpUrl, json, port } from './values.ts';

/** Configuration of every process of the platform. */
export const serviceShape = {
  /** Address to bind. Default: 127.0.0.1. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes a free one. */
  PORT: port,
  /** Redis, `redis://…` or `rediss://…`. */
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
  /** File with the certificate authorities of a Redis with TLS (PEM). Default: those of Node.js. MongoDB takes `tlsCAFile` in its URI. */
  REDIS_CA: z.string().min(1).optional(),
  /** Events service, which keeps the events of all services in feeds. Unset: events are published to Redis only. */
  EVENTS_URL: httpUrl.optional(),
  /** Least severe level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Enables the stand-ins for outside systems. Default: false. */
  SANDBOX: flag.default(false),
  /**
   * Serves gRPC reflection, which describes every contract and needs no token: `true` or `false`. Default: in the sandbox only. The gateway, the
   * back office and webhooks serve none.
   */
  RPC_REFLECTION: flag.optional(),
  /**
   * Internal port of `GET /metrics`, in the text format of Prometheus, and of the probes `GET /health/live` and `GET /health/ready`; 0 takes a free
   * one. Without it nothing is measured.
   */
  METRICS_PORT: port.optional(),
  /** Address to bind for the internal port, which has no authentication. Default: 127.0.0.1. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /**
   * Base URL of an OpenTelemetry collector, for example `http://collector:4318`: traces are sent to `/v1/traces` below it, by OTLP over HTTP as JSON.
   * Unset: nothing is traced.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Headers for the collector, `name=value,…` with percent-encoded values: for example an authorization. */
  OTEL_EXPORTER_OTLP_HEADERS: exporterHeaders.optional(),
  /** Share of the traces that begin at this process and are recorded, from 0 to 1. Of the others only the id is passed on. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(DEFAULT_SAMPLING_RATIO),
  /**
   * Seconds after which a connection is closed, give or take a tenth, with the response to a request, so that clients find instances that were
   * added later. Streams continue to their end.
   */
  MAX_CONNECTION_AGE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  /**
   * Seconds between SIGTERM and the end of service, in which the process reports that it is not ready and closes connections with their next
   * response. Behind a load balancer: longer than it takes to notice. Default: 0.
   */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).default(0),
  /** This process's own private key for service tokens (JWK). */
  SERVICE_KEY: json(serviceKeySchema),
  /** Public keys and scopes of the processes that may call this one. */
  SERVICE_TRUST: json(serviceTrustSchema),
  /**
   * File with the value of `SERVICE_TRUST`. It is read again when it changes, so that clients are added and removed while the process serves, within two seconds; replace it
   * in one step. Without effect while `SERVICE_TRUST` itself is set.
   */
  SERVICE_TRUST_FILE: z.string().min(1).optional(),
  /**
   * File with this process's certificate chain (PEM), which names the process as a DNS name. With `TLS_CERT`, `TLS_KEY` and `TLS_CA`, services
   * speak TLS 1.3 only and ask their clients for certificates; the files are read again when they change.
   */
  TLS_CERT: z.string().min(1).optional(),
  /** File with the certificate's private key (PEM). */
  TLS_KEY: z.string().min(1).optional(),
  /** File with the certificate authorities by which processes of the platform trust each other (PEM). */
  TLS_CA: z.string().min(1).optional(),
  /**
   * File with further authorities (PEM) that are trusted as those of `TLS_CA` are, while the platform changes from one authority to another. It may be missing; then there
   * are none.
   */
  TLS_CA_MORE: z.string().min(1).optional(),
} as const;
