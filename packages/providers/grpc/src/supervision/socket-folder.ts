import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The kernel's limit for the path of a Unix socket, without the terminating zero byte. */
const LONGEST_SOCKET_PATH = process.platform === "linux" ? 107 : 103;
const SOCKET = "provider.sock";

/** A folder that only this user can enter, created for one start of a provider process. */
export interface SocketFolder {
  /** Path of the socket in it, which does not exist yet. */
  readonly socket: string;
  remove(): Promise<void>;
}

/** Creates the folder. Throws if that fails, or if the path of a socket in it would be too long. */
export async function makeSocketFolder(): Promise<SocketFolder> {
  // mkdtemp creates it with mode 0700, whatever the umask.
  const folder = await mkdtemp(join(tmpdir(), "cloudwright-provider-"));
  const socket = join(folder, SOCKET);
  const remove = () => rm(folder, { recursive: true, force: true });
  if (Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH) return { socket, remove };
  await remove();
  throw new Error(
    `${socket} is longer than the ${LONGEST_SOCKET_PATH} bytes that a Unix socket's path may have; set TMPDIR to a shorter folder`,
  );
}
