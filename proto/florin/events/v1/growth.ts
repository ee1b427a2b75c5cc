/**
 * Stream in Redis that tells readers that feeds have grown: `feed`, and in `users` the ids of the users whose events were appended, separated by commas. It may stay
 * silent: what happened is in the feeds.
 */
export const FEED_GROWTH_STREAM = 'florin:feeds';
