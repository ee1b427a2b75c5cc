import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { DNS_ADDRESS, type NodePlan, POD_CIDR, type StateDir } from '../layout.ts';
import { cgroupOf } from '../namespaces/cgroups.ts';
import { podLogsOf } from './pod-logs.ts';

/** Name of the image that holds the namespaces of a pod. */
export const PAUSE_IMAGE = 'localhost/florin-cluster/pause:1';

/** Socket of containerd: each node has a `/run` of its own. */
export const CONTAINERD_SOCKET = '/run/containerd.sock';

type NodeFiles = { containerd: string; kubelet: string; proxy: string; cni: string; kubeletRoot: string };

/**
 * Settings that the machine decides: processes may not lower their OOM score, there is no AppArmor and no systemd, and the control groups are of
 * version 1.
 */
const containerdConfig = (root: string, cni: string, cniPrograms: string): string => `
version = 2
root = "${root}"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "${CONTAINERD_SOCKET}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniPrograms}"
    conf_dir = "${cni}"
`;

/** Point to point: packets between pods of one node are routed too, so that network policies see them. */
const cniConfig = (node: NodePlan): object => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: { type: 'host-local', ranges: [[{ subnet: node.podCidr }]], routes: [{ dst: '0.0.0.0/0' }], dataDir: '/var/lib/cni' },
    },
  ],
});

const kubeletConfig = (node: NodePlan, { directory, podLogs }: { directory: string; podLogs: string }): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: node.address,
  // Only the outside reaches the address of a node.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: cgroupOf(node.name),
  failCgroupV1: false,
  failSwapOn: false,
  oomScoreAdj: 0,
  enforceNodeAllocatable: [],
  clusterDNS: [DNS_ADDRESS],
  clusterDomain: 'cluster.local',
  resolvConf: join(directory, 'resolv.conf'),
  podLogsDir: podLogs,
  imageGCHighThresholdPercent: 100,
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  makeIPTablesUtilChains: false,
  // A pod gets the new content of a Secret at its next synchronization: after up to a minute by default.
  syncFrequency: '5s',
  // Tolerates what a process may not change here, such as settings of the kernel.
  featureGates: { KubeletInUserNamespace: true },
});

const proxyConfig = (node: NodePlan, kubeconfig: string): object => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  clientConnection: { kubeconfig },
  mode: 'nftables',
  clusterCIDR: POD_CIDR,
  hostnameOverride: node.name,
  oomScoreAdj: 0,
  conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  healthzBindAddress: '127.0.0.1:10256',
  metricsBindAddress: '127.0.0.1:10249',
});

/** Writes the configuration of a node's programs. */
export const writeNodeFiles = (node: NodePlan, state: StateDir, cniPrograms: string): NodeFiles => {
  const directory = state.node(node.name);
  const [cni, kubeletRoot] = [join(directory, 'cni'), join(directory, 'kubelet')];
  const podLogs = podLogsOf(state, node.name);
  for (const path of [cni, kubeletRoot, podLogs]) mkdirSync(path, { recursive: true });
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  write('cni/10-pods.conflist', JSON.stringify(cniConfig(node)));
  write('resolv.conf', 'nameserver 127.0.0.1\n');
  return {
    cni,
    kubeletRoot,
    containerd: write('containerd.toml', containerdConfig(join(directory, 'containerd'), cni, cniPrograms)),
    kubelet: write('kubelet.yaml', stringify(kubeletConfig(node, { directory, podLogs }))),
    proxy: write('proxy.yaml', stringify(proxyConfig(node, state.kubeconfig('proxy')))),
  };
};
