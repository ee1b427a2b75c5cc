/** Who owns a shard for now. It keeps writers from fighting; that they cannot fork a shard is the block number's doing. */
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

/** Most shards that an instance takes, so that all of them find one: the equal part, rounded up. */
export const fairShare = (shards: number, instances: number): number => Math.ceil(shards / Math.max(instances, 1));
