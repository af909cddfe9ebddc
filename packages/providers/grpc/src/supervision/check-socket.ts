import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";

/** Who may own a sidecar's socket besides root and ourselves. */
export interface SocketOwner {
  readonly user: number | undefined;
  readonly group: number | undefined;
}

export interface SocketCheck extends SocketOwner {
  readonly socket: string;
}

/**
 * Returns why the socket at the path must not be used, as the end of a sentence; undefined if it may be. Anyone who can put a
 * socket there can impersonate the cloud: it and its folder have to belong to root, to us or to the named user, and nobody else
 * may write to them.
 */
export function socketProblem(check: SocketCheck): string | undefined {
  const { socket } = check;
  const folder = dirname(socket);
  return (
    problemOf("the folder", folder, {
      check,
      isKind: (stats) => stats.isDirectory(),
      kind: "a folder",
    }) ??
    problemOf("the socket", socket, {
      check,
      isKind: (stats) => stats.isSocket(),
      kind: "a socket",
    })
  );
}

interface Expected {
  readonly check: SocketOwner;
  isKind(stats: Stats): boolean;
  readonly kind: string;
}

function problemOf(
  what: string,
  path: string,
  { check, isKind, kind }: Expected,
): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return `is not available yet: ${path} does not exist`;
  if (!isKind(stats)) return `cannot be used: ${path} is not ${kind}`;
  const { uid, gid, mode } = stats;
  if (![0, process.getuid?.(), check.user].includes(uid)) {
    return `is not trusted: ${what} ${path} belongs to user ${uid}; name that user with --cloud-provider-socket-owner if it is the provider's`;
  }
  if ((mode & OTHERS_WRITE) !== 0) {
    return `is not trusted: everybody may write to ${what} ${path}; take that right from others (chmod o-w)`;
  }
  if ((mode & GROUP_WRITES) === 0 || isTrustedGroup(gid, check)) return undefined;
  return `is not trusted: group ${gid} may write to ${what} ${path}; name that group with --cloud-provider-socket-owner if it is the provider's`;
}

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;

function isTrustedGroup(gid: number, { group }: SocketOwner): boolean {
  return gid === 0 || gid === process.getgid?.() || gid === group || isOneOfOurs(gid);
}

/** Also true for supplementary groups, such as a Pod's fsGroup. */
function isOneOfOurs(gid: number): boolean {
  return process.getgroups?.().includes(gid) === true;
}
