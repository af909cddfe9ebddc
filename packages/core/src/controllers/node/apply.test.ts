import { describe, expect, it } from "vitest";
import type { Node, Patch, Target } from "../../kube/client.ts";
import { KubeError, type KubeErrorCode } from "../../kube/errors.ts";
import { facts, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { testRun } from "../testing/test-run.ts";
import { applyNodeChange } from "./apply.ts";
import type { Initialise } from "./changes.ts";

const OTHER = { key: "example.org/drain", effect: "NoExecute" } as const;
const RUN = testRun(() => found());

interface Call {
  readonly verb: "update" | "patch";
  readonly target: Target;
  readonly body: unknown;
}

/** An API server that accepts every write, or refuses to update whole objects. */
function apiServer(refusal?: KubeErrorCode) {
  const calls: Call[] = [];
  return {
    calls,
    update: async (target: Target, body: unknown) => {
      calls.push({ verb: "update", target, body });
      if (refusal === undefined) return body as never;
      throw new KubeError(refusal, "refused", { verb: "update", resource: "nodes" });
    },
    patch: async (target: Target, patch: Patch) => {
      calls.push({ verb: "patch", target, body: patch.body });
      return node() as never;
    },
  };
}

function initialise(hadProviderID: string | null = null): Initialise {
  const { providerID = "" } = facts();
  return {
    kind: "node.initialise",
    system: "cluster",
    target: { kind: "Node", name: "n1" },
    reason: { code: "Uninitialised" },
    before: {
      providerID: hadProviderID,
      labels: { old: "1" },
      annotations: {},
      taints: [UNINITIALIZED],
    },
    after: {
      providerID,
      labels: { zone: "z1", old: null },
      annotations: { "cloudwright.io/cloud-labels": "zone" },
      taints: [],
    },
  };
}

describe("the initialising write", () => {
  it("replaces the whole node, with its version and without its status", async () => {
    const server = apiServer();
    const seen = node({ taints: [UNINITIALIZED], labels: { old: "1", kept: "2" } });
    await applyNodeChange(server, { change: initialise(), node: seen }, RUN);
    expect(server.calls).toHaveLength(1);
    const [call] = server.calls;
    expect(call).toMatchObject({ verb: "update", target: { name: "n1" } });
    expect(call?.body).toStrictEqual({
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        ...seen.metadata,
        labels: { "kubernetes.io/hostname": "n1", kept: "2", zone: "z1" },
        annotations: { "example.org/some": "thing", "cloudwright.io/cloud-labels": "zone" },
      },
      spec: { providerID: "p://i-1", taints: [] },
    });
  });

  it.each<[KubeErrorCode, string]>([
    ["Conflict", "the node was changed meanwhile, as that minds only what it is about"],
    ["Forbidden", "our role grants no more"],
  ])("is a patch after %s: %s", async (refusal) => {
    const server = apiServer(refusal);
    const seen = node({ taints: [UNINITIALIZED] });
    await applyNodeChange(server, { change: initialise(), node: seen }, RUN);
    expect(server.calls.map(({ verb }) => verb)).toEqual(["update", "patch"]);
    expect(server.calls[1]?.body).toContainEqual({ op: "remove", path: "/spec/taints" });
  });

  it("as a patch removes no taint of a node whose annotations changed: it may be held now", async () => {
    const server = apiServer("Conflict");
    const seen = node({ taints: [UNINITIALIZED], annotations: { "example.org/b": "2" } });
    await applyNodeChange(server, { change: initialise(), node: seen }, RUN);
    expect(server.calls[1]?.body).toContainEqual({
      op: "test",
      path: "/metadata/annotations",
      value: { "example.org/some": "thing", "example.org/b": "2" },
    });
  });

  it("as a patch removes no taint of a node that changed at all when it had no annotation", async () => {
    const server = apiServer("Conflict");
    const { metadata, ...rest } = node({ taints: [UNINITIALIZED], resourceVersion: "7" });
    const { annotations: _, ...bare } = metadata ?? {};
    await applyNodeChange(server, { change: initialise(), node: { ...rest, metadata: bare } }, RUN);
    expect(server.calls[1]?.body).toContainEqual({
      op: "test",
      path: "/metadata/resourceVersion",
      value: "7",
    });
  });

  it("is not tried in another form after any other refusal", async () => {
    const server = apiServer("Unavailable");
    const seen = node({ taints: [UNINITIALIZED] });
    const write = applyNodeChange(server, { change: initialise(), node: seen }, RUN);
    await expect(write).rejects.toMatchObject({ code: "Unavailable" });
    expect(server.calls).toHaveLength(1);
  });

  it.each<[string, Node]>([
    ["has other taints than were planned from", node({ taints: [UNINITIALIZED, OTHER] })],
    ["has no version", node({ taints: [UNINITIALIZED], resourceVersion: "" })],
    ["has no UID", node({ taints: [UNINITIALIZED], uid: "" })],
  ])("is a patch that tests what it replaces when the node %s", async (_when, seen) => {
    const server = apiServer();
    await applyNodeChange(server, { change: initialise(), node: seen }, RUN);
    expect(server.calls.map(({ verb }) => verb)).toEqual(["patch"]);
    expect(server.calls[0]?.body).toContainEqual({
      op: "test",
      path: "/spec/taints",
      value: [UNINITIALIZED],
    });
  });

  it("does not touch a provider ID that the node already had", async () => {
    const server = apiServer();
    const seen = node({ taints: [UNINITIALIZED], providerID: "p://old" });
    await applyNodeChange(server, { change: initialise("p://old"), node: seen }, RUN);
    expect(server.calls[0]?.body).toMatchObject({ spec: { providerID: "p://old" } });
  });
});
