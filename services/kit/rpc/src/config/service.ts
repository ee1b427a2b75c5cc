import { z } from 'zod';
import { serviceKeySchema, serviceTrustSchema } from '../auth/index.ts';
import { flag, json, port } from './values.ts';

/** Configuration of every process of the platform. */
export const serviceShape = {
  /** Address to bind. Default: 127.0.0.1. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes a free one. */
  PORT: port,
  /** Redis, `redis://…` or `rediss://…`. */
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
  /** Least severe level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Enables the stand-ins for outside systems. Default: false. */
  SANDBOX: flag.default(false),
  /** Port of `GET /metrics`, in the text format of Prometheus; 0 takes a free one. Without it nothing is measured. */
  METRICS_PORT: port.optional(),
  /** Address to bind for metrics, which have no authentication. Default: 127.0.0.1. */
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** This process's own private key for service tokens (JWK). */
  SERVICE_KEY: json(serviceKeySchema),
  /** Public keys and scopes of the processes that may call this one. */
  SERVICE_TRUST: json(serviceTrustSchema),
  /**
   * File with this process's certificate chain (PEM), which names the process as a DNS name. With `TLS_CERT`, `TLS_KEY` and `TLS_CA`, services
   * speak TLS 1.3 only and ask their clients for certificates; the files are read again when they change.
   */
  TLS_CERT: z.string().min(1).optional(),
  /** File with the certificate's private key (PEM). */
  TLS_KEY: z.string().min(1).optional(),
  /** File with the certificate authorities by which processes of the platform trust each other (PEM). */
  TLS_CA: z.string().min(1).optional(),
} as const;
