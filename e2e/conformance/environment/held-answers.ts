import type { CloudRelay, RelayedCall } from "../../harness/relays/cloud-relay.ts";

export interface HeldAnswer {
  /** Resolves when the read is in progress. */
  readonly isUnderWay: Promise<void>;
  /** Passes the answer on. */
  release(): void;
}

/**
 * Holds the cloud's answer to the first read that names the instance: the cloud answers immediately, but the client only receives
 * it when the row says so.
 */
export function held(relay: CloudRelay, instance: string): HeldAnswer {
  return heldRead(relay, ({ query }) =>
    new URLSearchParams(query).getAll("name").includes(instance),
  );
}

/** Does the same for the first read that fits. */
export function heldRead(relay: CloudRelay, fits: (call: RelayedCall) => boolean): HeldAnswer {
  let release: () => void = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isUnderWay = new Promise<void>((resolve) => {
    relay.rule({
      times: 1,
      fits: (call) => call.method === "GET" && fits(call),
      strike: () => {
        resolve();
        return { after };
      },
    });
  });
  return { isUnderWay, release: () => release() };
}
