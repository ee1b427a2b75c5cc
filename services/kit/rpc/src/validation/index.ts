export { describeIssue } from './describe-issue.ts';
export { describeUnknown, nearest } from './unknown-names.ts';
export { MAX_VIOLATIONS, readViolations, toProtoPath, type Violation } from './violations.ts';
