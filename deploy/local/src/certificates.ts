import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from './processes/run-step.ts';
import { CLIENTS, type Client } from './service-scopes.ts';

/** Files of one process's mutual TLS, as PEM. */
export type CertificateFiles = { cert: string; key: string; ca: string };

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 397;

/** A certificate with less time left is replaced at the next start. */
const RENEW_DAYS = 30;

/** Without the extensions that the machine's own configuration of openssl may add. */
const OPENSSL_CONFIGURATION = '[req]\ndistinguished_name = name\n[name]\n';

/** Returns the paths of a client's files, whether they exist or not. */
export const certificateFiles = (dataDir: string, name: Client): CertificateFiles => {
  const directory = join(dataDir, 'keys', 'tls');
  return { cert: join(directory, `${name}.pem`), key: join(directory, `${name}.key`), ca: join(directory, 'ca.pem') };
};

const lasts = (file: string, now: Date): boolean =>
  existsSync(file) && new X509Certificate(readFileSync(file)).validToDate.getTime() - now.getTime() > RENEW_DAYS * DAY_MS;

const isIssuedBy = (file: string, authority: string): boolean =>
  new X509Certificate(readFileSync(file)).verify(new X509Certificate(readFileSync(authority)).publicKey);

/** Makes a key and a certificate, and puts them in place once both exist. */
const make = async (directory: string, name: string, days: number, args: readonly string[]): Promise<void> => {
  const temporary = mkdtempSync(join(directory, '.new-'));
  try {
    const [key, cert, config] = ['key', 'pem', 'cnf'].map((ending) => join(temporary, ending)) as [string, string, string];
    writeFileSync(config, OPENSSL_CONFIGURATION);
    await runStep({
      command: 'openssl',
      args: [
        ...['req', '-x509', '-config', config, '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-keyout', key, '-out', cert, '-days', String(days), '-subj', `/CN=florin-${name}`, ...args],
      ],
      timeoutMs: 30_000,
    });
    chmodSync(key, 0o600);
    renameSync(key, join(directory, `${name}.key`));
    renameSync(cert, join(directory, `${name}.pem`));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/**
 * Creates the certificates of the platform's processes and of the operator, by an authority of this data directory, and replaces those that end
 * soon. Each names its owner, and the loopback address that the services listen on.
 * @throws StepError when the openssl command (3.0 or newer) is missing or fails
 */
export const ensureCertificates = async (dataDir: string, now: Date = new Date()): Promise<void> => {
  const directory = join(dataDir, 'keys', 'tls');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const authority = join(directory, 'ca.pem');
  if (!lasts(authority, now)) {
    await make(directory, 'ca', AUTHORITY_DAYS, [
      '-addext',
      'basicConstraints=critical,CA:TRUE',
      '-addext',
      'keyUsage=critical,keyCertSign',
    ]);
  }
  for (const name of CLIENTS) {
    const { cert } = certificateFiles(dataDir, name);
    if (lasts(cert, now) && isIssuedBy(cert, authority)) continue;
    await make(directory, name, CERTIFICATE_DAYS, [
      ...['-CA', authority, '-CAkey', join(directory, 'ca.key')],
      ...['-addext', `subjectAltName=DNS:${name},IP:127.0.0.1`, '-addext', 'basicConstraints=critical,CA:FALSE'],
    ]);
  }
};
