export { describeIssue } from './describe-issue.ts';
export { MAX_VIOLATIONS, readViolations, toProtoPath, type Violation } from './violations.ts';
