/** Says which instance owns a shard for now. A lease prevents contention; only the block number prevents forks. */
export type Lease = {
  /** Id of the owning process, another one after each start. */
  instance: string;
  /** http://host:port where the other instances reach it. */
  url: string;
  /** Tells this lease from every other. */
  token: string;
  /** Term of the owner, above that of the shard's last block. */
  epoch: number;
  /** The successor that the owner has named: where the other instances reach it. */
  successor?: string;
};
