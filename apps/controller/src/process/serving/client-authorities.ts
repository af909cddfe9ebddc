import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { CONFIG_MAPS, type KubeObject } from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { startInformer } from "@cloudwright/core/kube/informer/informer";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import {
  authoritiesOfConfigMap,
  type ClientAuthorities,
  NO_AUTHORITIES,
} from "../../http/client-authorities.ts";
import { PlainError } from "../../plain-error.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { authoritiesOfFiles, watchAuthorityFiles } from "./authority-files.ts";

/** The trusted authorities, kept up to date. */
export interface AuthoritySource {
  current(): ClientAuthorities;
  /** Whether to request certificates from callers. */
  readonly asks: boolean;
  /** Calls back at each change from now on. */
  onChange(handler: () => void): void;
  stop(): void;
}

type Cluster = Pick<KubeConnection, "get" | "list" | "watch">;
type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

const NAMESPACE = "kube-system";
const NAME = "extension-apiserver-authentication";
const LOOK_UP_TIMEOUT_MS = 5_000;

/**
 * Reads the authorities given by flags, and looks up the others in the cluster (spec/00 §13); both are followed. Throws
 * PlainError for a file that cannot be used, and if the lookup is forbidden and `--authentication-tolerate-lookup-failure` is not
 * set. A cluster that does not respond yet is not an error: the lookup is retried until it does.
 */
export async function openClientAuthorities(
  processContext: ProcessContext,
  cluster: Cluster | undefined,
): Promise<AuthoritySource> {
  const { flags } = processContext;
  const looksUp = cluster !== undefined && !flags["authentication-skip-lookup"];
  let named = authoritiesOfFiles(flags);
  let found = looksUp ? await lookUp(processContext, cluster) : NO_AUTHORITIES;
  const handlers: (() => void)[] = [];
  const report = () => {
    for (const handler of handlers) handler();
  };
  const stopping = new AbortController();
  watchAuthorityFiles(processContext, stopping.signal, (next) => {
    named = next;
    report();
  });
  if (looksUp) {
    follow({ ...processContext, cluster, signal: stopping.signal }, (next) => {
      found = next;
      report();
    });
  }
  return {
    current: () => ({
      clients: named.clients ?? found.clients,
      frontProxy: named.frontProxy ?? found.frontProxy,
    }),
    asks: looksUp || named.clients !== undefined || named.frontProxy !== undefined,
    onChange: (handler) => handlers.push(handler),
    stop: () => stopping.abort(),
  };
}

async function lookUp(
  { flags, log }: ProcessContext,
  cluster: Pick<Cluster, "get">,
): Promise<ClientAuthorities> {
  try {
    const target = { resource: CONFIG_MAPS, namespace: NAMESPACE, name: NAME };
    const { data } = await cluster.get<ConfigMap>(target, { timeoutMs: LOOK_UP_TIMEOUT_MS });
    return authoritiesOfConfigMap(data);
  } catch (error) {
    if (isRefusal(error) && !flags["authentication-tolerate-lookup-failure"]) {
      throw new PlainError(
        `The client CA of the cluster cannot be looked up (${messageOf(error)}): grant get, list and watch on the ConfigMap ${NAMESPACE}/${NAME}, or give --authentication-skip-lookup or --authentication-tolerate-lookup-failure.`,
        { cause: error },
      );
    }
    log.warn(
      { configMap: `${NAMESPACE}/${NAME}`, error: messageOf(error) },
      "Callers with client certificates cannot be authenticated yet: the cluster's client CA could not be looked up",
    );
    return NO_AUTHORITIES;
  }
}

function isRefusal(error: unknown): boolean {
  return isKubeError(error) && (error.code === "Forbidden" || error.code === "Unauthorized");
}

type Following = Pick<ProcessContext, "clock" | "random" | "log"> & {
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
};

function follow(
  { cluster, clock, random, log, signal }: Following,
  onChange: (next: ClientAuthorities) => void,
): void {
  const informer = startInformer<ConfigMap>({
    client: cluster,
    resource: CONFIG_MAPS,
    namespace: NAMESPACE,
    fieldSelector: `metadata.name=${NAME}`,
    clock,
    random,
    signal,
    onError: (error) =>
      log.debug({ error: messageOf(error) }, "The watch of the client CA was interrupted"),
  });
  informer.subscribe((event) => {
    if (event.kind === "deleted") return onChange(NO_AUTHORITIES);
    try {
      onChange(authoritiesOfConfigMap(event.object.data));
    } catch (error) {
      log.error(
        { configMap: `${NAMESPACE}/${NAME}`, error: messageOf(error) },
        "The cluster's client CA cannot be used; the previous one stays in use",
      );
    }
  });
}
