import type { PlatformUrls } from '@florin/local';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { createRpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { openTls, type TlsConfig } from '@florin/rpc/tls';

/** Calls every service without a token: panels of failed calls have something to show. */
export const refusedCalls = (urls: PlatformUrls, certificates: TlsConfig) => {
  const tls = openTls(certificates, quietLogger);
  const services = Object.entries(urls).filter(([name]) => name !== 'gateway');
  const channels = services.map(([, baseUrl]) => createRpcChannel({ baseUrl, tls }));
  return {
    make: async (): Promise<void> => {
      await Promise.all(
        channels.map((channel) =>
          channel
            .client(AuditService)
            .listAuditEvents({})
            .catch(() => undefined),
        ),
      );
    },
    close: async (): Promise<void> => {
      await Promise.all(channels.map((channel) => channel.close()));
      tls?.close();
    },
  };
};
