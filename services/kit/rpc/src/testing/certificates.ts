import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Files of a process's mutual TLS. */
export type CertificateFiles = { TLS_CERT: string; TLS_KEY: string; TLS_CA: string };

/**
 * A certificate authority for tests, made with the openssl command.
 * @returns how to issue certificates that name a process, and how to remove everything
 */
export const createTestCa = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-ca-'));
  const path = (name: string) => join(directory, name);
  const newKey = (name: string) => run('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path(name)]);
  await newKey('ca.key');
  await run('openssl', [
    'req',
    '-x509',
    '-new',
    '-key',
    path('ca.key'),
    '-subj',
    // A name of its own, by which the issuer of a certificate is found.
    `/CN=${basename(directory)}`,
    '-days',
    '2',
    '-out',
    path('ca.pem'),
  ]);
  let serial = 0;
  const issueOne = async (names: readonly string[], days: number): Promise<CertificateFiles> => {
    serial += 1;
    const [key, request, cert, extensions] = ['key', 'csr', 'pem', 'ext'].map((ending) => `${serial}.${ending}`) as [
      string,
      string,
      string,
      string,
    ];
    await newKey(key);
    await run('openssl', ['req', '-new', '-key', path(key), '-subj', `/CN=${names[0] ?? 'nameless'}`, '-out', path(request)]);
    await writeFile(path(extensions), `subjectAltName=${[...names.map((name) => `DNS:${name}`), 'IP:127.0.0.1'].join(',')}\n`);
    const at = (time: number) => `${new Date(time).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
    const [begin, end] = [Date.now() - 3 * 86_400_000, Date.now() + days * 86_400_000];
    await writeFile(path('index.txt'), '');
    await writeFile(path('ca.cnf'), CA_CONFIGURATION.replaceAll('@DIRECTORY@', directory));
    await run('openssl', [
      ...['ca', '-batch', '-notext', '-config', path('ca.cnf'), '-create_serial', '-cert', path('ca.pem'), '-keyfile', path('ca.key')],
      ...['-in', path(request), '-out', path(cert), '-extfile', path(extensions), '-startdate', at(begin), '-enddate', at(end)],
    ]);
    return { TLS_CERT: path(cert), TLS_KEY: path(key), TLS_CA: path('ca.pem') };
  };
  /** The files of openssl's authority are shared: one certificate at a time. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    /**
     * @param names DNS names in the certificate; 127.0.0.1 is always among its addresses
     * @param days lifetime from now; below zero for one that has expired
     */
    issue: (names: readonly string[], { days = 1 }: { days?: number } = {}): Promise<CertificateFiles> => {
      const next = last.then(() => issueOne(names, days));
      last = next.catch(() => undefined);
      return next;
    },
    /** Replaces key and certificate of a process, one after the other; a certificate that stays is left alone. */
    replace: async (files: CertificateFiles, by: CertificateFiles): Promise<void> => {
      await cp(by.TLS_KEY, files.TLS_KEY);
      if (by.TLS_CERT !== files.TLS_CERT) await cp(by.TLS_CERT, files.TLS_CERT);
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
};

const CA_CONFIGURATION = `[ca]
default_ca = test
[test]
database = @DIRECTORY@/index.txt
serial = @DIRECTORY@/serial
new_certs_dir = @DIRECTORY@
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;
