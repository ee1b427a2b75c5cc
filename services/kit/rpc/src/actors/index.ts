export { actorSchema, assertOwnName, isSameActor } from './actors.ts';
