/** The code that generated contracts import: the one of the package, so that its validator reads the options. */
export * from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
