import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { certificateFiles, ensureCertificates } from './certificates.ts';
import { CLIENTS } from './service-scopes.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const certificateOf = (path: string): X509Certificate => new X509Certificate(readFileSync(path));

it('makes a certificate for every client once, and replaces those that end soon', { timeout: 120_000 }, async () => {
  const dataDir = temporaryDirectory();
  await ensureCertificates(dataDir);
  const { ca } = certificateFiles(dataDir, 'card');
  const first = CLIENTS.map((name) => {
    const { cert, key } = certificateFiles(dataDir, name);
    expect(certificateOf(cert).subjectAltName).toBe(`DNS:${name}, IP Address:127.0.0.1`);
    expect(certificateOf(cert).verify(certificateOf(ca).publicKey)).toBe(true);
    expect(certificateOf(cert).ca).toBe(false);
    expect(statSync(key).mode & 0o077).toBe(0);
    return readFileSync(cert, 'utf8');
  });
  await ensureCertificates(dataDir);
  const fileOf = (name: (typeof CLIENTS)[number]) => readFileSync(certificateFiles(dataDir, name).cert, 'utf8');
  expect(CLIENTS.map(fileOf)).toEqual(first);
  const authority = readFileSync(ca, 'utf8');
  await ensureCertificates(dataDir, new Date(Date.now() + 380 * 86_400_000));
  expect(CLIENTS.filter((name, index) => fileOf(name) === first[index])).toEqual([]);
  expect(readFileSync(ca, 'utf8')).toBe(authority);
});
