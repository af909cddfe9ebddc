import { mayReach } from "@cloudwright/store/users/cluster-access";
import { signedInOf } from "../sign-in/viewer.ts";

/** Requests a piece only when the browser has taken the previous one. A failure aborts the file, so that the user notices. */
export function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    /** The browser has disconnected: stop reading. */
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** A long file takes minutes: this is how often it checks that the user may still have it. */
const CHECK_MS = 10_000;

interface Allowed {
  readonly headers: Headers;
  /** Undefined for a file that does not belong to one cluster. */
  readonly cluster: string | undefined;
}

/** Yields the pieces while the session lives and the user may see the cluster; then the file breaks off. */
export async function* whileAllowed(
  pieces: AsyncGenerator<string>,
  allowed: Allowed,
  checkMs = CHECK_MS,
): AsyncGenerator<string> {
  let checkedAt = Date.now();
  for await (const piece of pieces) {
    if (Date.now() - checkedAt >= checkMs) {
      await requireStill(allowed);
      checkedAt = Date.now();
    }
    yield piece;
  }
}

async function requireStill({ headers, cluster }: Allowed): Promise<void> {
  const signedIn = await signedInOf(headers);
  const isReached = (of: string) =>
    signedIn !== undefined && mayReach(signedIn.viewer.clusters, of);
  if (cluster === undefined ? signedIn !== undefined : isReached(cluster)) return;
  throw new Error(
    "The session that asked for this file has ended, or the cluster is kept from it.",
  );
}
