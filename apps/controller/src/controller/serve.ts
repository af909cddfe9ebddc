import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/kube-client";
import { loadKubeConfig } from "@cloudwright/core/kube/kubeconfig";
import { createAccess } from "../http/access.ts";
import { createPages } from "../http/pages.ts";
import { type HttpsServer, startHttpsServer } from "../http/server.ts";
import { tlsMaterial } from "../http/tls-material.ts";
import { USER_AGENT } from "../version.ts";
import { configurationOf } from "./configuration.ts";
import { messageOf } from "./connect-cluster.ts";
import type { Foundation } from "./foundation.ts";
import { healthChecks, readinessChecks } from "./health-checks.ts";
import type { ProcessState } from "./process-state.ts";

/** Serves health and metrics over TLS; undefined when `--secure-port` is 0. Throws PlainError or KubeConfigError. */
export async function serve(
  foundation: Foundation,
  state: ProcessState,
): Promise<HttpsServer | undefined> {
  const { flags, log, registry, clock } = foundation;
  const port = flags["secure-port"];
  if (port === 0) return undefined;
  const access = createAccess({
    authentication: await reviewer(foundation, flags["authentication-kubeconfig"]),
    authorization: await reviewer(foundation, flags["authorization-kubeconfig"]),
    alwaysAllow: flags["authorization-always-allow-paths"],
    clock,
    tokenTtlMs: flags["authentication-token-webhook-cache-ttl"],
    allowedTtlMs: flags["authorization-webhook-cache-authorized-ttl"],
    deniedTtlMs: flags["authorization-webhook-cache-unauthorized-ttl"],
  });
  const pages = createPages({
    registry,
    health: () => healthChecks(flags, state),
    readiness: () => readinessChecks(flags, state),
    configuration: () => configurationOf(flags),
    onUnhealthy: (path, check, problem) =>
      log.warn({ path, check, problem }, "A health check failed"),
  });
  const server = await startHttpsServer({
    host: flags["bind-address"],
    port,
    tls: await tlsMaterial(flags),
    pages,
    access,
    onError: (error) => log.error({ error: messageOf(error) }, "A request over HTTPS failed"),
  });
  log.info(
    { host: flags["bind-address"], port: server.port },
    "Serving health and metrics over HTTPS",
  );
  return server;
}

async function reviewer(
  { clock, metrics }: Foundation,
  kubeconfig: string,
): Promise<KubeConnection | undefined> {
  if (kubeconfig === "") return undefined;
  const access = await loadKubeConfig({ kubeconfig, clock });
  return createKubeClient({
    access,
    clock,
    qps: 0,
    burst: 0,
    userAgent: USER_AGENT,
    onCall: metrics.kube,
  });
}
