import type { Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import { type ListenAddress, listenOn, parseListenAddress } from "../process/listen-address.ts";
import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { createAdminServer } from "./admin/admin-server.ts";
import { Faults } from "./admin/faults.ts";
import { RequestLog } from "./admin/request-log.ts";
import { Allocations } from "./allocations/allocations.ts";
import { type Authorizer, allowKnownUsers } from "./auth/authorizer.ts";
import { rbacAuthorizer } from "./auth/rbac.ts";
import { Tokens } from "./auth/tokens.ts";
import { ApiServer } from "./http/api-server.ts";
import { expireEvents } from "./imitations/event-expiry.ts";
import { keepKubernetesService } from "./imitations/kubernetes-service.ts";
import { keepNamespaces } from "./imitations/namespace-keeper.ts";
import { monitorNodes } from "./imitations/node-monitor.ts";
import { collectOrphans } from "./imitations/owner-collector.ts";
import { releaseVolumes } from "./imitations/volume-protection.ts";
import type { Registry } from "./registry/context.ts";
import { holdingsOf, type Service } from "./resources/services/service.ts";
import { services } from "./resources/services/services.ts";
import { type Identity, loadIdentity, saveIdentity, writePrivateFile } from "./state/identity.ts";
import { ObjectStore } from "./state/object-store.ts";

export interface ClusterOptions {
  /** `HOST:PORT`; port 0 picks the previous port again if it is free. */
  readonly listen: string;
  readonly stateDir: string;
  readonly kubeconfigFile: string;
  /** Milliseconds without a heartbeat after which a node is unknown; 0 turns the imitated controllers off. */
  readonly nodeMonitorGraceMs: number;
  /** Whether roles and bindings decide; if not, every known user may do everything. */
  readonly rbac?: boolean;
}

export interface RunningCluster {
  /** Base URL of the API, https. */
  readonly server: string;
  /** Base URL under which `/admin` lives: plain HTTP on loopback. */
  readonly admin: string;
  readonly kubeconfig: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

/** Starts the sandbox cluster from its folder. Rejects when an address or the folder cannot be used. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const address = parseListenAddress(options.listen);
  const identity = await loadIdentity(options.stateDir, address.host);
  const store = new ObjectStore(options.stateDir);
  const registry = registryOn(store);
  const stopImitations = imitate(registry, options.nodeMonitorGraceMs);
  const parts = { faults: new Faults(), log: new RequestLog() };
  const tokens = new Tokens(identity.token, store, registry.now);
  const access = { registry, tokens, authorizer: authorizerOf(options, store) };
  const api = new ApiServer({ services: access, ...parts });
  const { key, certificate: cert } = identity.serving;
  const apiServer = createServer({ key, cert, keepAliveTimeout: KEEP_ALIVE_MS }, api.handle);
  const adminServer = createAdminServer({
    ...parts,
    cutWatches: () => api.cutWatches(),
    compact: () => store.compact(),
  });
  const server = secure(await listenAgain(apiServer, address, identity.port));
  saveIdentity(options.stateDir, { ...identity, port: Number(new URL(server).port) });
  const stopKeeping = keepKubernetesService(registry, new URL(server));
  const admin = await listenOn(adminServer, { host: "127.0.0.1", port: 0 });
  writePrivateFile(options.kubeconfigFile, kubeconfigOf(server, identity));
  const close = async () => {
    stopKeeping();
    stopImitations();
    await Promise.all([closeServer(apiServer), closeServer(adminServer)]);
    store.close();
  };
  return { server, admin, kubeconfig: options.kubeconfigFile, token: identity.token, close };
}

function registryOn(store: ObjectStore): Registry {
  // The storage of services holds only objects decoded by their schema.
  const allocations = new Allocations(store, services.storage, (object) =>
    holdingsOf(object as Service),
  );
  return { store, allocations, now: () => Date.now() };
}

function authorizerOf({ rbac = false }: ClusterOptions, store: ObjectStore): Authorizer {
  return rbac ? rbacAuthorizer(store) : allowKnownUsers;
}

function kubeconfigOf(server: string, { authority, token }: Identity): string {
  return kubeconfigText(server, authority.certificate, token);
}

/** Starts the controllers beside the API; those for nodes, owners and volumes run only with a grace period. */
function imitate(registry: Registry, graceMs: number): () => void {
  const always = [keepNamespaces(registry), expireEvents(registry)];
  const judging =
    graceMs > 0
      ? [monitorNodes(registry, graceMs), collectOrphans(registry), releaseVolumes(registry)]
      : [];
  return () => {
    for (const stop of [...always, ...judging]) stop();
  };
}

/** Listens on the previous port when none is requested and it is free, so that existing kubeconfigs stay valid. */
async function listenAgain(
  server: Server,
  address: ListenAddress,
  lastPort: number,
): Promise<string> {
  if (address.port !== 0 || lastPort === 0) return listenOn(server, address);
  return listenOn(server, { ...address, port: lastPort }).catch(() => listenOn(server, address));
}

/** Longer than clients keep an idle connection, so that none closes during a request. */
const KEEP_ALIVE_MS = 300_000;

function secure(url: string): string {
  return url.replace(/^http:/, "https:");
}

function closeServer(server: Server | HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Returns a kubeconfig with one cluster and one user; JSON is YAML, so nothing needs quoting. */
function kubeconfigText(server: string, authority: string, token: string): string {
  const name = "cloudwright-sandbox";
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name,
        cluster: {
          server,
          "certificate-authority-data": Buffer.from(authority).toString("base64"),
        },
      },
    ],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name, context: { cluster: name, user: "admin" } }],
    "current-context": name,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Runs `cloudwright sandbox cluster`: serves until it is stopped. Rejects when it cannot start. */
export async function runClusterCommand(options: ClusterOptions): Promise<void> {
  const { server, admin, kubeconfig, close } = await startCluster(options);
  await serveUntilStopped({ server, kubeconfig, admin }, close);
}
