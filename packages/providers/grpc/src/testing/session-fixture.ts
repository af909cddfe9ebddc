import { rmSync } from "node:fs";
import type { Provider } from "@cloudwright/provider-api";
import { recordedContexts } from "@cloudwright/provider-api/kit";
import { MemoryInstances } from "../../../../provider-api/src/testing/memory-instances.ts";
import { MemoryRoutes } from "../../../../provider-api/src/testing/memory-routes.ts";
import type {
  InitializeRequest,
  ObjectKind,
  SyncObjectsRequest,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import { createGrpcProvider } from "../grpc-provider.ts";
import { CONFIG, HELD, TestObjects, TestSource } from "./connected.ts";
import { type ContractServer, type Handlers, startContractServer } from "./contract-server.ts";
import { handlersOf } from "./served-provider.ts";
/** The state of a test, new for each. */
export let cloud: MemoryInstances;
export let routes: MemoryRoutes;
export let objects: TestObjects;
export let source: TestSource;
export let servers: ContractServer[];
export let initialized: InitializeRequest[];
export let synced: SyncObjectsRequest[];
export const folders: string[] = [];

/** Call before each test. */
export function renew(): void {
  cloud = new MemoryInstances();
  routes = new MemoryRoutes();
  objects = new TestObjects();
  source = new TestSource();
  [servers, initialized, synced] = [[], [], []];
}

/** Call after each test. */
export async function end(): Promise<void> {
  await source.use(undefined);
  for (const server of servers) await server.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

interface More {
  readonly reportsCalls?: boolean;
  readonly answerTimeoutMs?: number;
  readonly watchedObjects?: ObjectKind[];
  readonly instances?: { readonly byName: boolean };
}

export const SERVED = {
  instances: { byName: true, needsNodes: true },
  routes: { storesOwner: true },
};

export function handlers(more: Handlers = {}, capabilities: More = {}): Handlers {
  const served = { instances: cloud.fixture().instances, routes };
  const usual = handlersOf(served, { ...SERVED, ...capabilities });
  return {
    ...usual,
    initialize: (request) => {
      initialized.push(request);
      return { capabilities: { reportsCalls: true, ...SERVED, ...capabilities } };
    },
    syncObjects: (request) => {
      synced.push(request);
      return {};
    },
    ...more,
  };
}

export async function start(more: Handlers = {}, capabilities: More = {}): Promise<ContractServer> {
  const server = await startContractServer({ handlers: handlers(more, capabilities) });
  servers.push(server);
  return server;
}

export async function provider(more: Handlers = {}, capabilities: More = {}): Promise<Provider> {
  await source.use(await start(more, capabilities));
  return await created();
}

export function created(): Promise<Provider> {
  const signal = new AbortController().signal;
  return createGrpcProvider({ source, config: CONFIG, objects, fence: HELD, signal });
}

export async function lookUp(
  { instances }: Provider,
  names: readonly string[],
  signal?: AbortSignal,
) {
  const refs = names.map((nodeName) => ({ nodeName, providerID: undefined }));
  const { context } = recordedContexts({ provider: "memory" });
  return await instances?.describe(refs, { mode: "batch" }, context(signal));
}

export async function errorOf(from: Provider, name: string, signal?: AbortSignal) {
  const lookup = (await lookUp(from, [name], signal))?.get(`name:${name}`);
  return lookup?.kind === "failed" ? lookup.error : undefined;
}

const ROUTE = {
  owner: { clusterUid: "c", objectUid: "n" },
  destination: "10.1.0.0/24",
  target: { nodeName: "w-1", providerID: "memory://w-1" },
  targetAddresses: [],
};

export function create({ routes }: Provider, signal?: AbortSignal): Promise<unknown> | undefined {
  const { context } = recordedContexts({ provider: "memory" });
  return routes?.create(ROUTE, context(signal)).catch((error: unknown) => error);
}
