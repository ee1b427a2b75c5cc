/**
 * Attributes of the span of an RPC (OpenTelemetry, semantic conventions for RPC).
 * @param rpc `<package>.<service>/<method>`
 */
export const rpcAttributes = (rpc: string): Readonly<Record<string, string>> => ({ 'rpc.system.name': 'connectrpc', 'rpc.method': rpc });
