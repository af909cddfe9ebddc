import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the kernel takes as the path of a Unix socket, without the zero byte at its end. */
const LONGEST_SOCKET_PATH = process.platform === "linux" ? 107 : 103;
const SOCKET = "provider.sock";

/** A folder that only this user can enter, made for one start of a provider process. */
export interface SocketFolder {
  /** Path of the socket in it; nothing is there yet. */
  readonly socket: string;
  remove(): Promise<void>;
}

/** Throws when it cannot be made, or when a socket in it would have too long a path. */
export async function makeSocketFolder(): Promise<SocketFolder> {
  // mkdtemp makes it with mode 0700, whatever the umask.
  const folder = await mkdtemp(join(tmpdir(), "cloudwright-provider-"));
  const socket = join(folder, SOCKET);
  const remove = () => rm(folder, { recursive: true, force: true });
  if (Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH) return { socket, remove };
  await remove();
  throw new Error(
    `${socket} is longer than the ${LONGEST_SOCKET_PATH} bytes that a Unix socket's path may have; set TMPDIR to a shorter folder`,
  );
}
