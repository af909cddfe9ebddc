import { mayReach } from "@cloudwright/store/users/cluster-access";
import { signedInOf } from "../sign-in/viewer.ts";

/** Asks for a piece only when the browser has taken the one before. A failure breaks the file off, so that it shows. */
export function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    /** The browser has gone away: nothing more is read. */
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** A long file is under way for minutes: so often it is looked at whether who asked may still have it. */
const CHECK_MS = 10_000;

interface Allowed {
  readonly headers: Headers;
  /** Undefined of a file that is about no one cluster. */
  readonly cluster: string | undefined;
}

/** The pieces as long as the session lives and the cluster is theirs; then the file breaks off. */
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
