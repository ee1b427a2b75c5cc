/** Says which instance owns a shard for now. It keeps writers from competing; that they cannot fork a shard is due to the block number. */
export type Lease = {
  /** Id of the owning process, another one after each start. */
  instance: string;
  /** http://host:port where the other instances reach it. */
  url: string;
  /** Tells this lease from every other. */
  token: string;
  /** Term of the owner, above that of the shard's last block. */
  epoch: number;
};
