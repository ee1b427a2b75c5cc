/**
 * Stream in Redis that tells readers that feeds have grown: `feed`, and, separated by commas, in `users` the ids of the users whose events were appended and in `types` the
 * types of the events; release 0.2 states no types. It may stay silent: what happened is in the feeds.
 */
export const FEED_GROWTH_STREAM = 'florin:feeds';
