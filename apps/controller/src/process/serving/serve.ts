import { loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { createAccess } from "../../http/access.ts";
import { trustedBy } from "../../http/client-authorities.ts";
import { followTls } from "../../http/follow-tls.ts";
import { createPages, type Pages } from "../../http/pages.ts";
import { profilePages } from "../../http/profile-pages.ts";
import { type HttpsServer, type HttpsServerOptions, startHttpsServer } from "../../http/server.ts";
import { type TlsSource, tlsSource } from "../../http/tls-material.ts";
import { createHealthMetrics } from "../../metrics/health-metrics.ts";
import { USER_AGENT } from "../../version.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { ProcessState } from "../process-state.ts";
import { type AuthoritySource, openClientAuthorities } from "./client-authorities.ts";
import { configurationOf } from "./configuration.ts";
import { healthChecks, livenessChecks, readinessChecks } from "./health-checks.ts";

/** Go's default, which upstream's 0 means. */
const DEFAULT_STREAMS = 250;

/** What a listener needs: its own certificate, and how it identifies callers. */
export interface Serving {
  readonly reviewers: Reviewers;
  readonly authorities: AuthoritySource;
  readonly tls: TlsSource;
}

/** Returns undefined if `--secure-port` is 0. Throws PlainError or KubeConfigError for settings that cannot be used. */
export async function prepareServing(processContext: ProcessContext): Promise<Serving | undefined> {
  const { flags } = processContext;
  if (flags["secure-port"] === 0) return undefined;
  const reviewers = await connectReviewers(processContext);
  const authorities = await openClientAuthorities(processContext, reviewers.authentication);
  const tls = await tlsSource(flags, () => trustedBy(authorities.current()));
  return { reviewers, authorities, tls };
}

/** Serves health, metrics and profiles over TLS. Throws PlainError if it cannot listen. */
export async function serve(
  processContext: ProcessContext,
  state: ProcessState,
  serving: Serving | undefined,
): Promise<HttpsServer | undefined> {
  if (serving === undefined) return undefined;
  const { flags, log, clock } = processContext;
  const { authorities, reviewers, tls: source } = serving;
  const ending = new AbortController();
  const server = await startHttpsServer({
    host: flags["bind-address"],
    port: flags["secure-port"],
    tls: source.read().options,
    ...(flags["disable-http2-serving"] ? {} : { http2: { maxStreams: streamsOf(flags) } }),
    asksForCertificates: authorities.asks,
    pages: pagesOf(processContext, state, ending.signal),
    access: accessOf(processContext, serving),
    onError: (error) => log.error({ error: messageOf(error) }, "A request over HTTPS failed"),
  });
  followAuthorities(server, authorities);
  const tls = followTls({ server: "https", source, clock, log, onRenewed: server.renew });
  state.certificates.push(tls);
  log.info(
    { host: flags["bind-address"], port: server.port },
    "Serving health and metrics over HTTPS",
  );
  return {
    ...server,
    close: async () => {
      ending.abort();
      authorities.stop();
      tls.stop();
      await Promise.all([server.close(), reviewers.close()]);
    },
  };
}

/**
 * Keeps the server's authorities up to date. The signer is checked at each request as well, so that nobody stays trusted once no
 * authority is left.
 */
function followAuthorities(server: HttpsServer, authorities: AuthoritySource): void {
  const trust = () => {
    const trusted = trustedBy(authorities.current());
    if (trusted.length > 0) server.trust(trusted);
  };
  authorities.onChange(trust);
  trust();
}

function streamsOf(flags: ProcessContext["flags"]): number {
  const most = flags["http2-max-streams-per-connection"];
  return most === 0 ? DEFAULT_STREAMS : most;
}

function accessOf(
  { flags, clock }: ProcessContext,
  { authorities, reviewers }: Serving,
): HttpsServerOptions["access"] {
  return createAccess({
    authentication: reviewers.authentication,
    authorization: reviewers.authorization,
    alwaysAllow: flags["authorization-always-allow-paths"],
    authorities: authorities.current,
    clock,
    tokenTtlMs: flags["authentication-token-webhook-cache-ttl"],
    allowedTtlMs: flags["authorization-webhook-cache-authorized-ttl"],
    deniedTtlMs: flags["authorization-webhook-cache-unauthorized-ttl"],
  });
}

function pagesOf(processContext: ProcessContext, state: ProcessState, signal: AbortSignal): Pages {
  const { flags, log, registry, clock } = processContext;
  const profiles = profilePages({ clock, signal, setVerbosity: log.setVerbosity });
  return createPages({
    registry,
    health: () => healthChecks(processContext, state),
    liveness: () => livenessChecks(processContext, state),
    readiness: () => readinessChecks(processContext, state),
    configuration: () => configurationOf(processContext),
    healthMetrics: createHealthMetrics(),
    onUnhealthy: (path, check, problem) =>
      log.warn({ path, check, problem }, "A health check failed"),
    ...(flags.profiling ? { more: profiles } : {}),
  });
}

/** The clusters that review callers' identities and access. */
export interface Reviewers {
  /** Undefined: tokens are ignored, and the cluster's client CA is not looked up. */
  readonly authentication: KubeConnection | undefined;
  /** Undefined: callers may only read what is public. */
  readonly authorization: KubeConnection | undefined;
  close(): Promise<void>;
}

/**
 * Connects by `--authentication-kubeconfig` and `--authorization-kubeconfig`; without them, in a pod, with the pod's service
 * account, as upstream does. Throws KubeConfigError.
 */
async function connectReviewers(processContext: ProcessContext): Promise<Reviewers> {
  const { flags } = processContext;
  const authentication = await reviewer(processContext, flags["authentication-kubeconfig"]);
  const authorization = await reviewer(processContext, flags["authorization-kubeconfig"]);
  return {
    authentication,
    authorization,
    close: async () => {
      await Promise.all([authentication?.close(), authorization?.close()]);
    },
  };
}

async function reviewer(
  { clock, metrics }: ProcessContext,
  kubeconfig: string,
): Promise<KubeConnection | undefined> {
  if (kubeconfig === "" && !process.env.KUBERNETES_SERVICE_HOST) return undefined;
  const access = await loadKubeConfig({ kubeconfig, clock });
  return createKubeClient({
    access,
    clock,
    qps: 0,
    burst: 0,
    userAgent: USER_AGENT,
    onCall: metrics.kube,
    onLookup: metrics.kubeNames,
  });
}
