import { create, createFileRegistry, type DescFile, type DescService, type FileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, type ConnectRouter } from '@connectrpc/connect';
import { file_florin_common_v1_error_info } from '@florin/proto/common/v1/error_info';
import {
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from '@florin/proto/grpc/reflection/v1/reflection';
import {
  ServerReflectionRequestSchema as AlphaRequestSchema,
  ServerReflectionResponseSchema as AlphaResponseSchema,
  ServerReflection as ServerReflectionAlpha,
} from '@florin/proto/grpc/reflection/v1alpha/reflection';

/** Returns the files and their transitive imports, each once, imports first. */
const closure = (files: readonly DescFile[]): DescFile[] => {
  const seen = new Map<string, DescFile>();
  const visit = (file: DescFile): void => {
    if (seen.has(file.name)) return;
    file.dependencies.forEach(visit);
    seen.set(file.name, file);
  };
  files.forEach(visit);
  return [...seen.values()];
};

type Result = ServerReflectionResponse['messageResponse'];

const notFound = (name: string): Result => ({
  case: 'errorResponse',
  value: { $typeName: 'grpc.reflection.v1.ErrorResponse', errorCode: Code.NotFound, errorMessage: `not found: ${name}` },
});

const descriptors = (file: DescFile): Result => ({
  case: 'fileDescriptorResponse',
  value: {
    $typeName: 'grpc.reflection.v1.FileDescriptorResponse',
    fileDescriptorProto: closure([file]).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto)),
  },
});

/** Finds the file that declares a symbol, or its enclosing symbol: clients also look up methods, fields and enum values by full name. */
const fileOfSymbol = (registry: FileRegistry, symbol: string): DescFile | undefined => {
  for (let name = symbol; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf('.'), 0))) {
    const found = registry.get(name);
    if (found !== undefined) return found.file;
  }
  return undefined;
};

const lookUp = (registry: FileRegistry, services: readonly string[], request: ServerReflectionRequest['messageRequest']): Result => {
  switch (request.case) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: {
          $typeName: 'grpc.reflection.v1.ListServiceResponse',
          service: services.map((name) => ({ $typeName: 'grpc.reflection.v1.ServiceResponse', name })),
        },
      };
    case 'fileByFilename': {
      // Descriptors carry their names without the .proto suffix.
      const file = registry.getFile(request.value) ?? registry.getFile(request.value.replace(/\.proto$/, ''));
      return file === undefined ? notFound(request.value) : descriptors(file);
    }
    case 'fileContainingSymbol': {
      const file = fileOfSymbol(registry, request.value);
      return file === undefined ? notFound(request.value) : descriptors(file);
    }
    default:
      // The contracts are proto3 and declare no extensions.
      return notFound('extensions');
  }
};

/** Server reflection (grpc.reflection.v1 and v1alpha), so that grpcurl works without proto files. */
export const registerReflection = (router: ConnectRouter, services: readonly DescService[]): void => {
  // No RPC refers to the error details, but clients need them to decode errors.
  const files = [...[...services, ServerReflection, ServerReflectionAlpha].map(({ file }) => file), file_florin_common_v1_error_info];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: closure(files).map(({ proto }) => proto) }));
  const names = [...services.map(({ typeName }) => typeName), ServerReflection.typeName];

  const respond = (request: ServerReflectionRequest): ServerReflectionResponse =>
    create(ServerReflectionResponseSchema, {
      validHost: request.host,
      originalRequest: request,
      messageResponse: lookUp(registry, names, request.messageRequest),
    });

  router.service(ServerReflection, {
    serverReflectionInfo: async function* (requests) {
      for await (const request of requests) yield respond(request);
    },
  });
  // Both versions have the same wire format.
  router.service(ServerReflectionAlpha, {
    serverReflectionInfo: async function* (requests) {
      for await (const request of requests) {
        const same = fromBinary(ServerReflectionRequestSchema, toBinary(AlphaRequestSchema, request));
        yield fromBinary(AlphaResponseSchema, toBinary(ServerReflectionResponseSchema, respond(same)));
      }
    },
  });
};
