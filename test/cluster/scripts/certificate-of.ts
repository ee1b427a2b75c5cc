import { connect } from 'node:tls';

// Runs in the network of a pod. Prints the serial number of the certificate that the process serves at a port, if one is given, and the end of its own
// certificate in milliseconds and the number of authorities that it trusts, as its metrics have them.
const [internalPort = '', grpcPort] = process.argv.slice(2);

const metrics = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text();

const metric = (name: string): number => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(metrics)?.[1]);

const serialAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    // Any certificate: which one it is decides the caller.
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });

const expiresAt = metric('florin_tls_certificate_expiry_timestamp_seconds') * 1000;
const authorities = metric('florin_tls_trusted_authorities');
const serial = grpcPort === undefined ? undefined : await serialAt(Number(grpcPort));
process.stdout.write(JSON.stringify({ expiresAt, authorities, serial }));
