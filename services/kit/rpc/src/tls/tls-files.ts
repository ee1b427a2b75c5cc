import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/index.ts';
import type { Logger } from '../observe/index.ts';

/** The variables of a process's configuration that name its TLS files; the first three are set, or none. */
export type TlsConfig = {
  TLS_CERT?: string | undefined;
  TLS_KEY?: string | undefined;
  TLS_CA?: string | undefined;
  TLS_CA_MORE?: string | undefined;
};

/** Certificate chain, private key and certificate authorities, each as PEM. */
export type TlsMaterial = { cert: Buffer; key: Buffer; ca: Buffer };

/** The current certificates, key and authorities of a process's mutual TLS. */
export type Tls = {
  current: () => TlsMaterial;
  /** Reports whether the process's own certificate has expired. Other processes then reject its connections. */
  hasExpired: () => boolean;
  /** When the process's own certificate expires. */
  expiresAt: () => Date;
  /** How many certificate authorities are trusted. */
  authorities: () => number;
  /** Calls back with the new material each time the files have changed and match each other. */
  onChange: (callback: (material: TlsMaterial) => void) => void;
  close: () => void;
};

const CHECK_INTERVAL_MS = 5000;

const fingerprint = ({ cert, key, ca }: TlsMaterial): string =>
  createHash('sha256').update(cert).update('\0').update(key).update('\0').update(ca).digest('hex');

/** The certificates of a PEM file, each as its text; one that stands twice counts once. */
const authoritiesIn = (pem: Buffer): ReadonlySet<string> =>
  new Set(pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g));

/** @returns nothing if there is no such file, or none is named */
const readIfThere = (path: string | undefined): Buffer => {
  try {
    return path === undefined ? Buffer.alloc(0) : readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};

/**
 * Opens the files named by a configuration and watches them, because mounted secrets are replaced while a process runs. While the files
 * cannot be read or do not match each other, the previous material stays in use and a warning is logged.
 * @returns undefined without TLS
 * @throws ConfigError when only some of the variables are set, or the files cannot be used
 */
export const openTls = (
  { TLS_CERT, TLS_KEY, TLS_CA, TLS_CA_MORE }: TlsConfig,
  logger: Logger,
  { checkIntervalMs = CHECK_INTERVAL_MS }: { checkIntervalMs?: number } = {},
): Tls | undefined => {
  if (TLS_CERT === undefined && TLS_KEY === undefined && TLS_CA === undefined) return undefined;
  if (TLS_CERT === undefined || TLS_KEY === undefined || TLS_CA === undefined) {
    throw new ConfigError('TLS_CERT, TLS_KEY, TLS_CA: either all of them are set or none');
  }
  const read = (): TlsMaterial => {
    // PEM: text may stand between certificates, but not on their lines.
    const ca = Buffer.concat([readFileSync(TLS_CA), Buffer.from('\n'), readIfThere(TLS_CA_MORE)]);
    const material = { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY), ca };
    // Rejects what is not PEM, and a key that does not belong to the certificate.
    createSecureContext(material);
    return material;
  };
  let current: TlsMaterial;
  try {
    current = read();
  } catch (cause) {
    throw new ConfigError(
      `TLS_CERT, TLS_KEY, TLS_CA: the files cannot be used together (${(cause as NodeJS.ErrnoException).code ?? 'invalid PEM'})`,
    );
  }
  let known = fingerprint(current);
  let expiresAt = new X509Certificate(current.cert).validToDate;
  let reported = false;
  const hasExpired = (): boolean => expiresAt.getTime() <= Date.now();
  const reportExpiry = (): void => {
    if (hasExpired() && !reported) logger.error(`TLS_CERT: the certificate expired at ${expiresAt.toISOString()}; waiting for a new one`);
    reported = hasExpired();
  };
  reportExpiry();
  const callbacks: ((material: TlsMaterial) => void)[] = [];
  const check = (): void => {
    try {
      const material = read();
      const now = fingerprint(material);
      if (now === known) {
        reportExpiry();
        return;
      }
      known = now;
      current = material;
      expiresAt = new X509Certificate(material.cert).validToDate;
      reportExpiry();
      for (const callback of callbacks) callback(material);
      logger.info('TLS certificates were replaced');
    } catch (err) {
      logger.warn({ err }, 'reading the TLS files failed; the certificates stay as they are');
    }
  };
  const timer = setInterval(check, checkIntervalMs);
  timer.unref();
  return {
    current: () => current,
    hasExpired,
    expiresAt: () => expiresAt,
    authorities: () => authoritiesIn(current.ca).size,
    onChange: (callback) => callbacks.push(callback),
    close: () => clearInterval(timer),
  };
};
