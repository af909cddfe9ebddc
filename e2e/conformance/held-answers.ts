import type { CloudRelay } from "../harness/cloud-relay.ts";

export interface HeldAnswer {
  /** Resolves when the first read that names the instance is on its way. */
  readonly isUnderWay: Promise<void>;
  /** Lets the answer through. */
  release(): void;
}

/** The cloud answers the first read that names the instance at once, and whoever asked hears of it only when the row says. */
export function held(relay: CloudRelay, instance: string): HeldAnswer {
  let release: () => void = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isUnderWay = new Promise<void>((resolve) => {
    relay.rule({
      times: 1,
      fits: ({ method, query }) =>
        method === "GET" && new URLSearchParams(query).getAll("name").includes(instance),
      strike: () => {
        resolve();
        return { after };
      },
    });
  });
  return { isUnderWay, release: () => release() };
}
