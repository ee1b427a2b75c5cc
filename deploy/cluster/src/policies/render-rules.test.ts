import { describe, expect, it } from 'vitest';
import type { PodObject, PolicyObject } from './objects.ts';
import { renderRules } from './render-rules.ts';

const pod = (name: string, podIP: string, more: Partial<PodObject['status']> = {}): PodObject => ({
  metadata: { name, namespace: 'florin', labels: { app: name } },
  spec: { containers: [{ ports: [{ name: 'grpc', containerPort: 50051 }] }] },
  status: { podIP, phase: 'Running', ...more },
});

const policy = (spec: PolicyObject['spec'], namespace = 'florin'): PolicyObject => ({ metadata: { name: 'policy', namespace }, spec });

const namespaces = ['florin', 'kube-system'].map((name) => ({ metadata: { name, namespace: '', labels: { name } } }));

/** The rules of a chain, without indentation. */
const chain = (name: string, policies: readonly PolicyObject[], pods = [pod('a', '10.0.0.1'), pod('b', '10.0.0.2')]): string[] => {
  const lines = renderRules({ pods, policies, namespaces }).split('\n');
  const begin = lines.indexOf(`  chain ${name} {`) + 1;
  return lines.slice(begin, lines.indexOf('  }', begin)).map((line) => line.trim());
};

describe('the rules of network policies', () => {
  it('restrict nothing without a policy', () => {
    expect([...chain('ingress', []), ...chain('egress', [])]).toEqual([]);
  });

  it('end what concerns a selected pod, in the direction of the policy', () => {
    const denied = [policy({ podSelector: { matchLabels: { app: 'a' } }, policyTypes: ['Ingress'] })];
    expect(chain('ingress', denied)).toEqual(['ip daddr { 10.0.0.1 } counter drop']);
    expect(chain('egress', denied)).toEqual([]);
  });

  it('allow a peer and a port before the end', () => {
    const allowed = policy({
      podSelector: { matchLabels: { app: 'a' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'b' } } }], ports: [{ port: 50051 }] }],
    });
    expect(chain('ingress', [allowed])).toEqual([
      'ip daddr { 10.0.0.1 } ip saddr { 10.0.0.2 } tcp dport 50051 return',
      'ip daddr { 10.0.0.1 } counter drop',
    ]);
  });

  it('allow nobody when no pod is such a peer', () => {
    const allowed = policy({
      podSelector: { matchLabels: { app: 'a' } },
      policyTypes: ['Egress'],
      egress: [
        { to: [{ podSelector: { matchLabels: { app: 'c' } } }], ports: [{ port: 1 }] },
        { to: [{ namespaceSelector: { matchLabels: { name: 'kube-system' } } }] },
      ],
    });
    expect(chain('egress', [allowed])).toEqual(['ip saddr { 10.0.0.1 } counter drop']);
  });

  it('know peers in other namespaces, blocks of addresses, protocols and names of ports', () => {
    const other: PodObject = { ...pod('dns', '10.0.0.9'), metadata: { name: 'dns', namespace: 'kube-system', labels: { app: 'dns' } } };
    const allowed = policy({
      podSelector: { matchLabels: { app: 'a' } },
      policyTypes: ['Egress', 'Ingress'],
      egress: [
        { to: [{ namespaceSelector: { matchLabels: { name: 'kube-system' } } }], ports: [{ port: 53, protocol: 'UDP' }] },
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }], ports: [{ port: 443 }] },
      ],
      ingress: [{ ports: [{ port: 'grpc' }] }],
    });
    const pods = [pod('a', '10.0.0.1'), other];
    expect(chain('egress', [allowed], pods).slice(0, 2)).toEqual([
      'ip saddr { 10.0.0.1 } ip daddr { 10.0.0.9 } udp dport 53 return',
      'ip saddr { 10.0.0.1 } ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8 } tcp dport 443 return',
    ]);
    expect(chain('ingress', [allowed], pods)[0]).toBe('ip daddr { 10.0.0.1 } tcp dport { 50051 } return');
  });

  it('ignore pods that are over and have given their address back', () => {
    const pods = [pod('a', '10.0.0.1', { phase: 'Succeeded' }), pod('b', '10.0.0.1')];
    expect(chain('ingress', [policy({ podSelector: { matchLabels: { app: 'a' } } })], pods)).toEqual([]);
  });
});
