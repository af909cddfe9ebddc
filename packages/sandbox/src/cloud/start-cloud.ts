import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { lockFile } from "../process/file-lock.ts";
import { listenOn, parseListenAddress } from "../process/listen-address.ts";
import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { adminRoutes } from "./admin-routes.ts";
import { createFaultEngine, type FaultEngine } from "./faults/fault-engine.ts";
import { ORDINARY_QUOTAS } from "./faults/fault-rules.ts";
import { createCallLog } from "./http/call-log.ts";
import { answer, type Pipeline } from "./http/request-pipeline.ts";
import { createRouter, type Route } from "./http/router.ts";
import { tableRouteRoutes } from "./http/table-route.ts";
import { aliasesOf, instanceRoutes } from "./instances/instance-routes.ts";
import { createNextStatus, type NextStatus } from "./instances/next-status.ts";
import { loadBalancerRoutes } from "./load-balancers/load-balancer-routes.ts";
import { firewallRuleRoutes } from "./resources/firewall-rule.ts";
import { volumeRoutes } from "./resources/volume.ts";
import { type CloudState, createCloudState, resourceRecordSchema } from "./state/cloud-state.ts";
import { type Journal, openJournal } from "./state/journal.ts";

export interface CloudOptions {
  /** `HOST:PORT`; port 0 picks a free one. */
  readonly listen: string;
  /** The file that stores the cloud; its folder is created if missing. */
  readonly stateFile: string;
  /** The bearer token of `/v1`. Without it one is generated at the first start and stored in the state. */
  readonly token?: string | undefined;
  /** Most routes in the table; absent means 1,000. */
  readonly routes?: number | undefined;
}

export interface RunningCloud {
  /** Base URL under which `/v1` lives. */
  readonly endpoint: string;
  readonly token: string;
  /** Base URL under which `/admin` lives. */
  readonly admin: string;
  /** Ends all connections and releases the state file. */
  close(): Promise<void>;
}

/**
 * Starts the sandbox cloud (spec/70). Throws an Error of one sentence when the address is in use, when another process has the state file,
 * or when that file cannot be used.
 */
export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const address = parseListenAddress(options.listen);
  const file = resolve(options.stateFile);
  await mkdir(dirname(file), { recursive: true });
  const unlock = await lockFile(file);
  try {
    const cloud = await openCloud(file, options);
    const server = createServer({ maxHeaderSize: HEADER_LIMIT }, (request, response) => {
      answer(cloud.pipeline, request, response).catch((error: unknown) => {
        process.stderr.write(`sandbox cloud: an answer could not be sent: ${String(error)}\n`);
        response.destroy();
      });
    });
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    const endpoint = await listenOn(server, address).catch(async (error: unknown) => {
      await cloud.close();
      throw error;
    });
    const close = async (): Promise<void> => {
      await closeServer(server);
      await cloud.close();
      await unlock();
    };
    return { endpoint, admin: endpoint, token: cloud.pipeline.token, close };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** A read of hundreds of machines by name has a long request line. */
const HEADER_LIMIT = 64 * 1024;
const KEEP_ALIVE_MS = 60_000;
const FORMAT = "cloudwright sandbox cloud 1";

const recordSchema = z.union([
  resourceRecordSchema,
  z.object({ op: z.literal("token"), token: z.string().min(1) }),
  z.object({ op: z.literal("reset") }),
]);

interface OpenCloud {
  readonly pipeline: Pipeline;
  readonly close: () => Promise<void>;
}

async function openCloud(
  file: string,
  { token: givenToken, routes = ORDINARY_QUOTAS.routes }: CloudOptions,
): Promise<OpenCloud> {
  let keptToken = randomBytes(24).toString("base64url");
  const faults = createFaultEngine((called) => aliasesOf(state.instances, called), {
    ...ORDINARY_QUOTAS,
    routes,
  });
  const state: CloudState = createCloudState({
    persist: (record) => journal.append(record),
    faults: faults.read,
  });
  const replay = (input: unknown): void => {
    const record = recordSchema.parse(input);
    if (record.op === "token") {
      keptToken = record.token;
    } else if (record.op === "reset") {
      state.clear();
    } else {
      state.replay(record);
    }
  };
  const journal: Journal = await openJournal({
    file,
    format: FORMAT,
    replay,
    snapshot: () => [{ op: "token", token: keptToken }, ...state.snapshot()],
  });
  const reset = async (): Promise<void> => {
    state.clear();
    await journal.append({ op: "reset" });
  };
  const calls = createCallLog();
  const nextStatus = createNextStatus();
  return {
    pipeline: {
      token: givenToken ?? keptToken,
      api: createRouter(apiRoutes(state, { faults, nextStatus })),
      admin: createRouter(adminRoutes({ ...state, faults, calls, nextStatus, reset })),
      faults,
      calls,
    },
    close: async () => {
      state.close();
      await journal.close();
    },
  };
}

function apiRoutes(
  { instances, loadBalancers, firewallRules, routes, volumes }: CloudState,
  { faults, nextStatus }: { readonly faults: FaultEngine; readonly nextStatus: NextStatus },
): Route[] {
  const machine = (id: string) => instances.find(id)?.instance;
  const countNamed = (name: string) => instances.named(name).length;
  const quota = (): number => faults.read().quotas.routes;
  return [
    ...instanceRoutes(instances),
    ...loadBalancerRoutes(loadBalancers, nextStatus),
    ...firewallRuleRoutes(firewallRules),
    ...tableRouteRoutes({ routes, quota, machine, countNamed }),
    ...volumeRoutes({ volumes, isMachine: (id) => machine(id) !== undefined }),
  ];
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  await closed;
}

/** Runs `cloudwright sandbox cloud`: serves until it is stopped; announces `{endpoint, token, admin}`. */
export async function runCloudCommand(options: CloudOptions): Promise<void> {
  const { endpoint, token, admin, close } = await startCloud(options);
  await serveUntilStopped({ endpoint, token, admin }, close);
}
