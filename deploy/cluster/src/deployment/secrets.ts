import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS, certificateFiles, ensureCertificates } from '@florin/local';
import { parseAllDocuments } from 'yaml';

const CERTIFICATES = join(import.meta.dirname, '../../../k8s/components/cert-manager/certificates.yaml');

type Certificate = { metadata: { name: string }; spec: { secretName: string; dnsNames: string[] } };

/** The certificates that cert-manager would make, from the component that asks it for them. */
const readCertificates = (): Certificate[] =>
  parseAllDocuments(readFileSync(CERTIFICATES, 'utf8')).map((document) => document.toJS() as Certificate);

/**
 * Makes the certificates of the processes in a data directory, with the names that the component cert-manager asks for.
 * @returns their Secrets as a List of Kubernetes
 */
export const certificateSecrets = async (dataDir: string, namespace: string): Promise<object> => {
  const certificates = readCertificates();
  const namesOf = (client: string): readonly string[] =>
    certificates.find(({ metadata }) => metadata.name === client)?.spec.dnsNames ?? [client];
  await ensureCertificates(dataDir, new Date(), namesOf);
  const secretOf = (name: string, client: (typeof CLIENTS)[number]): object => {
    const files = certificateFiles(dataDir, client);
    const read = (path: string): string => readFileSync(path, 'utf8');
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': read(files.cert), 'tls.key': read(files.key), 'ca.crt': read(files.ca) },
    };
  };
  const items = CLIENTS.map((client) => secretOf(`${client}-tls`, client));
  return { apiVersion: 'v1', kind: 'List', items };
};
