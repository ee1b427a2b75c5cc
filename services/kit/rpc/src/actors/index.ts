export { actorSchema, assertOwnName, foldName, isSameActor } from './actors.ts';
