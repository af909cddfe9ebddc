import type { CloudRelay, RelayedCall } from "../../harness/relays/cloud-relay.ts";

export interface HeldAnswer {
  /** Resolves when the read is on its way. */
  readonly isUnderWay: Promise<void>;
  /** Lets the answer through. */
  release(): void;
}

/** The cloud answers the first read that names the instance at once, and whoever asked gets that answer only when the row says. */
export function held(relay: CloudRelay, instance: string): HeldAnswer {
  return heldRead(relay, ({ query }) =>
    new URLSearchParams(query).getAll("name").includes(instance),
  );
}

/** The same of the first read that fits. */
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
