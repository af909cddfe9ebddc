import { afterEach, beforeEach } from "vitest";
import { startTestCluster, type TestCluster } from "./test-cluster.ts";
import { WatchReader } from "./watch-reader.ts";

export const NODES = "/api/v1/nodes";
export const MERGE = "application/merge-patch+json";

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Item[];
}

/** Provides a sandbox cluster for each test of the file, and the calls that tests need most. */
export function useTestCluster() {
  let current: TestCluster | undefined;
  const now = (): TestCluster => {
    if (current === undefined) throw new Error("The cluster is there within a test alone.");
    return current;
  };
  beforeEach(async () => {
    current = await startTestCluster();
  });
  afterEach(() => now().discard());
  return {
    get cluster() {
      return now();
    },
    async restart(): Promise<void> {
      current = await now().restart();
    },
    create: (path: string, name: string, more: object = {}) =>
      now().client.json<Item>("POST", path, { body: { metadata: { name }, ...more } }),
    label: (name: string, labels: object) =>
      now().client.json<Item>("PATCH", `${NODES}/${name}`, {
        body: { metadata: { labels } },
        contentType: MERGE,
      }),
    list: (path: string) => now().client.json<List>("GET", path),
    watch: (path: string) => WatchReader.open(now().client, path),
    /** Calls an endpoint that only the sandbox has. */
    admin: (method: string, path: string, body?: object) =>
      fetch(`${now().admin}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
