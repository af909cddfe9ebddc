import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Lookup, type Provider, ProviderError } from "@cloudwright/provider-api";
import { recordedContexts } from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connectTo } from "../src/connection/connect.ts";
import type { Connection, ObjectSource } from "../src/connection.ts";
import { createGrpcProvider } from "../src/grpc-provider.ts";
import { HELD } from "../src/testing/connected.ts";
import { GO_MODULE, GO_TIMEOUT_MS, go, isGoMissing } from "./go-toolchain.ts";

let dir: string;
let program: string;
let state: string;
let child: ChildProcess;
let connection: Connection;
let provider: Provider;

beforeAll(async () => {
  if (isGoMissing) return;
  dir = mkdtempSync(join(tmpdir(), "cloudwright-fake-"));
  program = join(dir, "cloudwright-provider-fake");
  state = join(dir, "state.json");
  await go(GO_MODULE, "build", "-o", program, "./cmd/cloudwright-provider-fake");
}, GO_TIMEOUT_MS);

afterAll(() => {
  if (!isGoMissing) rmSync(dir, { recursive: true, force: true });
});

beforeEach(async () => {
  if (isGoMissing) return;
  playState({});
  const socket = join(dir, "provider.sock");
  const env = { ...process.env, CLOUDWRIGHT_PROVIDER_SOCKET: socket };
  child = spawn(program, { env, stdio: ["pipe", "ignore", "ignore"] });
  const options = { userAgent: "test/1", signal: AbortSignal.timeout(30_000) };
  connection = await vi.waitFor(() => connectTo(socket, options), 30_000);
  provider = await createGrpcProvider({
    source: { current: () => connection, onConnected: () => () => {} },
    config: {
      cloudConfig: JSON.stringify({ state }),
      clusterName: "test",
      clusterCidrs: [],
      settings: {},
    },
    objects: NODES,
    fence: HELD,
    signal: options.signal,
  });
});

afterEach(async () => {
  if (isGoMissing) return;
  await provider.close?.();
  connection.close();
  const ended = once(child, "exit");
  child.stdin?.end();
  // It exits by itself when its standard input ends.
  expect(await ended).toEqual([0, null]);
});

/** Every Node belongs to this cloud. */
const NODES: ObjectSource = {
  node: (name) => ({
    ...{ kind: "Node", uid: name, resourceVersion: "1", namespace: "", name },
    json: () => JSON.stringify({ metadata: { name }, spec: { providerID: `fake://${name}` } }),
  }),
  service: () => undefined,
  all: () => [],
  onChange: () => () => {},
};

const THERE = {
  providerID: "fake://there",
  type: "m1",
  zone: "a",
  region: "r",
  addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
};

/** Sets the cloud's state. */
function playState(more: object): void {
  const played = { instances: { there: THERE }, externalIP: "198.51.100.7", ...more };
  writeFileSync(state, JSON.stringify(played));
}

const { context } = recordedContexts({ provider: "fake" });

async function lookUp(name: string, mode: "batch" | "single"): Promise<Lookup | undefined> {
  const providerID = `fake://${name}`;
  const refs = [{ nodeName: name, providerID }];
  return (await provider.instances?.describe(refs, { mode }, context()))?.get(`id:${providerID}`);
}

async function failureOf(call: Promise<unknown> | undefined): Promise<ProviderError> {
  const error = await call?.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProviderError) return error;
  throw new Error("it did not fail as a provider does");
}

describe.skipIf(isGoMissing)("upstream's fake in a process", () => {
  it("shows a machine's facts, and whether it is running", async () => {
    expect(await lookUp("there", "batch")).toMatchObject({
      kind: "found",
      facts: { providerID: "fake://there", type: "m1", zone: "a", region: "r", power: "running" },
    });
    playState({ instances: { there: { ...THERE, shutdown: true } } });
    expect(await lookUp("there", "single")).toMatchObject({ facts: { power: "stopped" } });
  });

  it("proves twice that a machine is gone, while the cloud shows others", async () => {
    expect(await lookUp("there", "batch")).toMatchObject({ kind: "found" });
    for (const mode of ["batch", "single"] as const)
      expect(await lookUp("gone", mode)).toMatchObject({
        kind: "absent",
        proof: { by: "providerID", cloudShowsOthers: true },
      });
  });

  it("is never absent if the provider fails or panics", async () => {
    for (const mishap of [{ error: "boom" }, { panics: "nil map" }]) {
      playState({ mishaps: { InstanceExists: mishap, InstanceMetadata: mishap } });
      for (const mode of ["batch", "single"] as const)
        expect(await lookUp("gone", mode)).toMatchObject({ kind: "failed" });
    }
    playState({});
    expect(await lookUp("there", "batch")).toMatchObject({ kind: "found" });
  });

  it("creates, lists and removes a route", async () => {
    const made = await provider.routes?.create(
      {
        owner: { clusterUid: "c", objectUid: "n" },
        destination: "10.1.0.0/24",
        target: { nodeName: "there", providerID: "fake://there" },
        targetAddresses: [],
      },
      context(),
    );
    const [listed] = (await provider.routes?.list(context()))?.routes ?? [];
    expect(listed).toMatchObject({ id: made?.id, destination: "10.1.0.0/24" });
    if (listed !== undefined) await provider.routes?.remove(listed, context());
    expect((await provider.routes?.list(context()))?.routes).toEqual([]);
  });

  it("passes on the delay of upstream's RetryError", async () => {
    playState({ mishaps: { ListRoutes: { error: "not yet", retryAfterMs: 7_000 } } });
    const failure = await failureOf(provider.routes?.list(context()));
    expect(failure).toMatchObject({ code: "Unavailable", call: { retryAfterMs: 7_000 } });
  });
});
