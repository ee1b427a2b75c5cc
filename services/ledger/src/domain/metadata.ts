/** Actor and reason of an entry. Stored in the entry's data, and so covered by the block's hash. */
export type Metadata = {
  actor: string;
  reason: string;
  externalReference: string;
  approvedBy: string;
  labels: Readonly<Record<string, string>>;
};

export const NO_METADATA: Metadata = { actor: '', reason: '', externalReference: '', approvedBy: '', labels: {} };

const FIELDS = ['actor', 'reason', 'externalReference', 'approvedBy'] as const;
const LIMITS: Readonly<Record<(typeof FIELDS)[number], number>> = { actor: 128, reason: 512, externalReference: 128, approvedBy: 128 };

const MAX_LABELS = 32;
/** Of keys and values together, in UTF-8. */
const MAX_LABEL_BYTES = 1024;
const LABEL_KEY = /^[a-z0-9._-]{1,64}$/;
const LABEL = 'label.';

/** The first violated limit, as `<field>: <what is expected>`; undefined when all are kept. */
export const metadataProblem = (metadata: Metadata): string | undefined => {
  for (const field of FIELDS) {
    const text = metadata[field];
    if (text.length > LIMITS[field]) return `${field}: must be at most ${LIMITS[field]} characters`;
    if (!text.isWellFormed()) return `${field}: must be well-formed Unicode`;
  }
  const labels = Object.entries(metadata.labels);
  if (labels.length > MAX_LABELS) return `labels: must be at most ${MAX_LABELS}`;
  let bytes = 0;
  for (const [key, value] of labels) {
    if (!LABEL_KEY.test(key)) return 'labels: keys must be 1 to 64 of a-z, 0-9, dot, underscore and hyphen';
    if (!value.isWellFormed()) return 'labels: values must be well-formed Unicode';
    bytes += key.length + Buffer.byteLength(value);
  }
  return bytes > MAX_LABEL_BYTES ? `labels: must be at most ${MAX_LABEL_BYTES} bytes together` : undefined;
};

/** Metadata as facts of an entry, empty fields left out. */
export const metadataFacts = (metadata: Metadata): Record<string, string> => {
  const facts: Record<string, string> = {};
  for (const field of FIELDS) if (metadata[field] !== '') facts[field] = metadata[field];
  for (const [key, value] of Object.entries(metadata.labels)) facts[`${LABEL}${key}`] = value;
  return facts;
};

/** The metadata in an entry's facts; undefined when there is none. */
export const metadataOf = (data: Readonly<Record<string, string>>): Metadata | undefined => {
  const labels: Record<string, string> = {};
  for (const [key, value] of Object.entries(data)) if (key.startsWith(LABEL)) labels[key.slice(LABEL.length)] = value;
  const { actor = '', reason = '', externalReference = '', approvedBy = '' } = data;
  const found = actor !== '' || reason !== '' || externalReference !== '' || approvedBy !== '' || Object.keys(labels).length > 0;
  return found ? { actor, reason, externalReference, approvedBy, labels } : undefined;
};

/** One text per metadata, for hashes of a request's content; empty without metadata. The approver is not part of the request's content. */
export const metadataText = (metadata: Metadata): string => {
  const { approvedBy: _approvedBy, ...facts } = metadataFacts(metadata);
  const sorted = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? '' : JSON.stringify(sorted);
};
