import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider } from "@cloudwright/provider-api";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectTo } from "./connection/connect.ts";
import { ObjectKind } from "./generated/cloudwright/provider/v1/provider_pb.js";
import { BareStatus, NotSynced, startContractServer } from "./testing/contract-server.ts";
import {
  cloud,
  create,
  created,
  end,
  errorOf,
  folders,
  handlers,
  initialized,
  lookUp,
  objects,
  provider,
  renew,
  SERVED,
  servers,
  source,
  start,
  synced,
} from "./testing/session-fixture.ts";

beforeEach(renew);
afterEach(end);

async function kindOf(from: Provider, name: string): Promise<string | undefined> {
  return (await lookUp(from, [name]))?.get(`name:${name}`)?.kind;
}

describe("a process that is running", () => {
  it("is asked for its capabilities by every replica, and initialised once by the leader", async () => {
    const made = await provider();
    expect(made).toMatchObject({ name: "memory", hasClusterId: false });
    expect([made.volumes, made.loadBalancers, made.zones]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(initialized).toMatchObject([{ capabilitiesOnly: true, cloudConfig: "[global]" }]);
    const { signal } = new AbortController();
    await made.initialize?.({ clusterUid: undefined, signal });
    await made.initialize?.({ clusterUid: "c-1", signal });
    await kindOf(made, "w-1");
    await kindOf(made, "w-1");
    expect(
      initialized.map(({ capabilitiesOnly, clusterUid }) => [capabilitiesOnly, clusterUid]),
    ).toEqual([
      [true, undefined],
      [false, undefined],
      [false, "c-1"],
    ]);
  });

  it("is waited for until it starts", async () => {
    const waiting = created();
    await source.use(await start());
    expect(await waiting).toMatchObject({ name: "memory" });
  });

  it("is initialised before its next call if it was gone when a replica began to lead", async () => {
    const made = await provider();
    await source.use(undefined);
    const { signal } = new AbortController();
    await made.initialize?.({ clusterUid: "c-1", signal });
    await source.use(await start());
    await kindOf(made, "w-1");
    expect(initialized.at(-1)).toMatchObject({ capabilitiesOnly: false, clusterUid: "c-1" });
  });

  it("reports why it cannot begin", async () => {
    const made = await provider({
      initialize: ({ capabilitiesOnly }) => {
        if (capabilitiesOnly) return { capabilities: SERVED };
        throw new BareStatus(status.FAILED_PRECONDITION, "the cluster's identity is missing");
      },
    });
    const { signal } = new AbortController();
    await expect(made.initialize?.({ clusterUid: undefined, signal })).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("the cluster's identity is missing"),
    });
  });

  it("receives each version of an object once, and then references to it", async () => {
    objects.put("Node", "w-1", "1");
    objects.put("Node", "w-2", "1");
    const refs: (string | undefined)[] = [];
    const { describeInstances } = handlers();
    const made = await provider({
      describeInstances: (request, signal) => {
        refs.push(...request.refs.map(({ node }) => `${node?.uid} ${node?.resourceVersion}`));
        if (describeInstances === undefined) throw new Error("it is not served");
        return describeInstances(request, signal);
      },
    });
    await lookUp(made, ["w-1", "w-2"]);
    await lookUp(made, ["w-1", "w-2"]);
    objects.put("Node", "w-2", "2");
    await lookUp(made, ["w-1", "w-2"]);
    expect(
      synced.map((one) => one.upserts.map(({ name, ref }) => [name, ref?.resourceVersion])),
    ).toEqual([
      [
        ["w-1", "1"],
        ["w-2", "1"],
      ],
      [["w-2", "2"]],
    ]);
    expect(synced.map(({ replacesAll }) => replacesAll)).toEqual([true, false]);
    expect(refs).toEqual([
      ...["Node-w-1 1", "Node-w-2 1", "Node-w-1 1", "Node-w-2 1"],
      ...["Node-w-1 1", "Node-w-2 2"],
    ]);
    expect(objects.written).toBe(3);
  });

  it("learns about deleted objects with the next request", async () => {
    objects.put("Node", "w-1", "1");
    objects.put("Node", "w-2", "1");
    const made = await provider();
    await lookUp(made, ["w-1", "w-2"]);
    objects.remove("Node", "w-1");
    await lookUp(made, ["w-2"]);
    expect(synced.at(-1)).toMatchObject({ upserts: [], deletedUids: ["Node-w-1"] });
  });

  it("receives objects again that it no longer has", async () => {
    objects.put("Node", "w-1", "1");
    let isForgotten = true;
    const made = await provider({
      describeInstances: ({ refs }) => {
        if (isForgotten) {
          isForgotten = false;
          throw new NotSynced(["Node-w-1"]);
        }
        return { lookups: refs.map(() => ({ result: { case: "unclaimed", value: {} } })) };
      },
    });
    expect(await kindOf(made, "w-1")).toBe("unclaimed");
    expect(synced.map(({ upserts }) => upserts.length)).toEqual([1, 1]);
  });

  it("receives every object of the kinds that it watches, whether requests refer to it or not", async () => {
    objects.put("Node", "w-1", "1");
    objects.put("Service", "web", "1");
    const made = await provider({}, { watchedObjects: [ObjectKind.NODE] });
    await lookUp(made, ["other"]);
    expect(synced.flatMap(({ upserts }) => upserts.map(({ name }) => name))).toEqual(["w-1"]);
    objects.put("Node", "w-3", "1");
    await expect
      .poll(() => synced.flatMap(({ upserts }) => upserts.map(({ name }) => name)))
      .toEqual(["w-1", "w-3"]);
  });

  it("receives objects in requests of a size that servers accept", async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `w-${index}-${"x".repeat(2_000)}`);
    for (const name of names) objects.put("Node", name, "1");
    const made = await provider();
    await lookUp(made, names);
    expect(synced.length).toBeGreaterThan(3);
    expect(synced.map(({ replacesAll }) => replacesAll).filter(Boolean)).toHaveLength(1);
    expect(synced.reduce((sum, { upserts }) => sum + upserts.length, 0)).toBe(3_000);
  });
});

describe("a process that was restarted", () => {
  it("receives everything before the next call, and is not expected to remember anything", async () => {
    objects.put("Node", "w-1", "1");
    const made = await provider();
    await made.initialize?.({ clusterUid: "c-1", signal: new AbortController().signal });
    await cloud.fixture().create("w-1");
    expect(await kindOf(made, "w-1")).toBe("found");
    await servers[0]?.kill();
    await source.use(await start());
    const before = initialized.length;
    expect(await kindOf(made, "w-1")).toBe("found");
    expect(initialized.slice(before)).toMatchObject([
      { clusterUid: "c-1", capabilitiesOnly: false },
    ]);
    expect(synced.map(({ replacesAll, upserts }) => [replacesAll, upserts.length])).toEqual([
      [true, 1],
      [true, 1],
    ]);
  });

  it("receives Nodes from all over the cluster with its first objects, to check whether the cloud shows any of their machines", async () => {
    for (let number = 100; number < 260; number++) objects.put("Node", `w-${number}`, "1");
    const made = await provider();
    await lookUp(made, ["w-100"]);
    await servers[0]?.kill();
    await source.use(await start());
    synced.length = 0;
    await lookUp(made, ["w-259"]);
    await lookUp(made, ["w-258"]);
    const names = synced.map(({ upserts }) => upserts.map(({ name }) => name));
    expect(names).toEqual([
      [...Array.from({ length: 16 }, (_, place) => `w-${100 + 10 * place}`), "w-259"],
      ["w-258"],
    ]);
  });

  it("receives no additional Nodes if its provider needs none", async () => {
    for (const name of ["w-1", "w-2"]) objects.put("Node", name, "1");
    const made = await provider({}, { instances: { byName: true } });
    await lookUp(made, ["w-1"]);
    expect(synced.flatMap(({ upserts }) => upserts)).toEqual([]);
  });

  it("at the same socket is a new process: the connection to the first has ended", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cw-again-"));
    folders.push(folder);
    const socketPath = join(folder, "provider.sock");
    const first = await startContractServer({ handlers: handlers(), socketPath });
    const { signal } = new AbortController();
    const connection = await connectTo(socketPath, { userAgent: "test/1", signal });
    const closed = new Promise<string>((resolve) => connection.onClosed(resolve));
    await first.kill();
    servers.push(await startContractServer({ handlers: handlers(), socketPath }));
    expect(await closed).toContain("was lost");
    await expect(connection.health({ signal, timeoutMs: 5_000 })).rejects.toMatchObject({
      code: "Unavailable",
    });
    expect(servers.at(-1)?.counts.get("handshake")).toBeUndefined();
  });

  it("during a change: it may have been made; during a lookup: nothing is absent", async () => {
    const reached: (() => void)[] = [];
    const hang = () => {
      for (const one of reached.splice(0)) one();
      return new Promise<never>(() => {});
    };
    const made = await provider({ createRoute: hang, describeInstances: hang });
    for (const call of [() => create(made), () => errorOf(made, "w-1")]) {
      const isReached = new Promise<void>((resolve) => reached.push(resolve));
      const answer = call();
      await isReached;
      await servers.at(-1)?.kill();
      expect(await answer).toMatchObject({ code: "Unavailable" });
      await source.use(await start({ createRoute: hang, describeInstances: hang }));
    }
    const isReached = new Promise<void>((resolve) => reached.push(resolve));
    const answer = create(made);
    await isReached;
    await servers.at(-1)?.kill();
    expect(await answer).toMatchObject({ call: { mayBeDone: true, operation: "CreateRoute" } });
  });
});

describe("without a running process", () => {
  it("nothing is absent and nothing was sent", async () => {
    const made = await provider();
    await source.use(undefined);
    expect(await errorOf(made, "w-1")).toMatchObject({ code: "Unavailable" });
    const failed = await create(made);
    expect(failed).toMatchObject({
      code: "Unavailable",
      message: "The provider process is not running.",
    });
    expect(failed).not.toMatchObject({ call: { mayBeDone: true } });
  });

  it("a socket without a listener is reported in one sentence, immediately", async () => {
    const { signal } = new AbortController();
    const options = { userAgent: "test/1", signal };
    await expect(connectTo("/nonexistent/provider.sock", options)).rejects.toMatchObject({
      code: "Unavailable",
      message: "No provider process answers at the socket /nonexistent/provider.sock.",
    });
  });

  it("a process with another contract version is reported in one sentence", async () => {
    const server = await startContractServer({ handlers: handlers(), protocol: 2 });
    servers.push(server);
    const { signal } = new AbortController();
    await expect(
      connectTo(server.socketPath, { userAgent: "test/1", signal }),
    ).rejects.toMatchObject({
      code: "Unsupported",
      message: expect.stringContaining("speaks contract 2, but this release speaks 1"),
    });
  });

  it("a process that does not answer the handshake times out", async () => {
    const server = await start({ handshake: () => new Promise<never>(() => {}) });
    const options = { userAgent: "test/1", signal: new AbortController().signal, timeoutMs: 50 };
    await expect(connectTo(server.socketPath, options)).rejects.toMatchObject({ code: "TimedOut" });
  });
});
