import { runStep } from '@florin/local';
import { NODES, type NodePlan, OUTSIDE_ADDRESS, SERVICE_CIDR } from '../layout.ts';

const TIMEOUT_MS = 10_000;
const PREFIX = 24;
const BRIDGE = 'nodes';

const run = (command: string, args: readonly string[]): Promise<string> => runStep({ command, args, timeoutMs: TIMEOUT_MS });
const ip = (line: string): Promise<string> => run('ip', line.split(' '));

/** Opens the network outside of the nodes, in the network namespace of this process. */
export const openOutside = async (): Promise<void> => {
  await ip('link set lo up');
  await ip(`link add ${BRIDGE} type bridge`);
  await ip(`addr add ${OUTSIDE_ADDRESS}/${PREFIX} dev ${BRIDGE}`);
  await ip(`link set ${BRIDGE} up`);
};

/** Connects a network namespace, that of the process `pid`, to the others as a node. */
export const connectNode = async (node: NodePlan, pid: number): Promise<void> => {
  const inNode = (line: string): Promise<string> => run('nsenter', ['--target', String(pid), '--net', '--', 'ip', ...line.split(' ')]);
  await ip(`link add ${node.name} type veth peer name eth0 netns ${pid}`);
  await ip(`link set ${node.name} master ${BRIDGE} up`);
  await ip(`route add ${node.podCidr} via ${node.address}`);
  await inNode('link set lo up');
  await inNode(`addr add ${node.address}/${PREFIX} dev eth0`);
  await inNode('link set eth0 up');
  await inNode(`route add default via ${OUTSIDE_ADDRESS}`);
  for (const other of NODES) if (other !== node) await inNode(`route add ${other.podCidr} via ${other.address}`);
  await run('nsenter', ['--target', String(pid), '--net', '--', 'sysctl', '-qw', 'net.ipv4.ip_forward=1']);
};

/** Lets the outside reach the addresses of Services, by the first node. */
export const routeServices = async (): Promise<void> => {
  await ip(`route add ${SERVICE_CIDR} via ${NODES[0]?.address}`);
};
