import { delimiter, join } from 'node:path';
import type { Preparation } from '../preparation.ts';
import { unpackDebianPackages } from './debian-packages.ts';
import { ensureGoPrograms, type GoPrograms } from './go-programs.ts';

/** Programs of a cluster that Debian has, with the libraries that a minimal machine lacks. */
const PACKAGES = [
  ...['etcd-server', 'containerd', 'runc', 'containernetworking-plugins', 'nftables', 'conntrack', 'buildah'],
  ...['libnftables1', 'libnftnl11', 'libmnl0', 'libjansson4', 'libedit2', 'libbsd0', 'libmd0', 'libxtables12', 'libgmp10'],
  ...['libnetfilter-conntrack3', 'libnfnetlink0', 'libseccomp2', 'libgpgme11', 'libassuan0', 'libgpg-error0', 'libdevmapper1.02.1'],
];

/** Where the programs of the cluster are. */
export type Programs = {
  built: GoPrograms;
  /** Root of the packages of Debian. */
  packages: string;
};

/** Provides all programs; the first time takes minutes. */
export const ensurePrograms = async (preparation: Preparation): Promise<Programs> => {
  const packages = await unpackDebianPackages('cluster-packages', PACKAGES, preparation);
  return { packages, built: await ensureGoPrograms(preparation) };
};

/** Path of the plugins that connect pods to the network. */
export const cniDirectory = ({ packages }: Programs): string => join(packages, 'usr/lib/cni');

/** Where the libraries of the packages are. */
export const libraryDirectories = ({ packages }: Programs): string[] =>
  ['usr/lib', 'lib'].map((directory) => join(packages, directory, 'x86_64-linux-gnu'));

/** The environment in which the programs find each other and their libraries. */
export const programEnvironment = (programs: Programs, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { built, packages } = programs;
  const directories = ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map((directory) => join(packages, directory));
  return {
    ...env,
    PATH: [built.kubernetes, built.certManager, ...directories, env['PATH'] ?? '', '/usr/sbin', '/sbin'].join(delimiter),
    LD_LIBRARY_PATH: libraryDirectories(programs).join(delimiter),
  };
};
