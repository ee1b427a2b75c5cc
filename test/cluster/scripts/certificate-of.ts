import { connect } from 'node:tls';

// Runs in the network of a pod. Prints the serial number of the certificate that the process serves at a port, if one is given, and the end of its own
// certificate in milliseconds, as its metrics have it.
const [internalPort = '', grpcPort] = process.argv.slice(2);

const METRIC = /^florin_tls_certificate_expiry_timestamp_seconds(?:\{.*\})? (\S+)$/m;

const serialAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    // Any certificate: which one it is decides the caller.
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });

const metrics = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text();
const expiresAt = Number(METRIC.exec(metrics)?.[1]) * 1000;
const serial = grpcPort === undefined ? undefined : await serialAt(Number(grpcPort));
process.stdout.write(JSON.stringify({ expiresAt, serial }));
