import type { LookupRun } from "@cloudwright/core/cloud/ports";
import { instanceRefOf, otherOwnerOf } from "@cloudwright/core/controllers/objects/node-object";
import type { Node } from "@cloudwright/core/kube/client";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { withoutSecrets } from "@cloudwright/core/model/values/secrets";
import { type InstanceRef, isProviderError, type Lookup } from "@cloudwright/provider-api";
import type { CloudAccess } from "../../wiring/cloud/cloud-access.ts";
import { isIdentified } from "../../wiring/cluster/cluster-identity.ts";
import { type Judged, ok, problem, someOf, unknown, warning } from "./finding.ts";

export interface CloudToExamine {
  readonly cloud: CloudAccess;
  /** Undefined if the cluster did not answer. */
  readonly nodes: readonly Node[] | undefined;
  /** Undefined if the cluster did not answer. */
  readonly clusterUid: string | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/**
 * Examines whether the credentials may read what the controllers read, kind by kind. Missing write permissions only show when
 * something is written.
 */
export async function examineCloud(context: CloudToExamine): Promise<Judged[]> {
  const found = await Promise.all([
    examineConfig(context),
    examineInstances(context),
    examineLoadBalancers(context),
    examineRoutes(context),
  ]);
  return found.flat();
}

async function examineConfig({ cloud, signal }: CloudToExamine): Promise<Judged[]> {
  if (cloud.checkConfig === undefined) return [];
  const { name } = cloud.provider;
  try {
    const problems = await cloud.checkConfig(signal);
    if (problems.length === 0) return [ok(`${name} has everything that --cloud-config names.`)];
    return problems.map(({ message }) =>
      problem(withoutSecrets(message), "Correct --cloud-config, or what it names in the cloud."),
    );
  } catch (error) {
    return [
      problem(
        `--cloud-config could not be compared with ${name}: ${messageOf(error)}`,
        adviceFor(error, "Check the credentials, the project and the region of --cloud-config."),
      ),
    ];
  }
}

const FRESH = { maxAgeMs: 0, priority: "refresh" } as const;

async function examineInstances(context: CloudToExamine): Promise<Judged[]> {
  const { cloud, nodes } = context;
  const { name, instances } = cloud.provider;
  const directory = cloud.instances;
  if (instances === undefined || directory === undefined) {
    return [ok(`${name} offers no instances, so nodes are left to other controllers.`)];
  }
  if (nodes === undefined) return [NODES_UNKNOWN];
  const own = nodes.filter((node) => otherOwnerOf(node, name) === undefined).map(instanceRefOf);
  const port = directory.for(runOf(context));
  const lookups = await Promise.all(
    own.map((ref) => port.lookup(ref, { ...FRESH, mode: "batch" })),
  );
  return judgeInstances(name, own, lookups);
}

const NODES_UNKNOWN = unknown(
  "Machines were not looked up, because the nodes are unknown.",
  "Run doctor again once the cluster lists its nodes.",
);
const NO_NODE = unknown(
  "Machines were not looked up, because no node of this cloud is known.",
  "Run doctor again once a node has registered.",
);

/** Judges the cloud's answers about the machines of nodes. */
function judgeInstances(
  provider: string,
  refs: readonly InstanceRef[],
  lookups: readonly Lookup[],
): Judged[] {
  const of = (...kinds: readonly Lookup["kind"][]) =>
    refs.filter((_, index) => kinds.includes(lookups[index]?.kind ?? "failed"));
  const failed = lookups.find((lookup) => lookup.kind === "failed");
  const missing = of("absent", "notListed");
  const found = of("found");
  const unclaimed = of("unclaimed", "malformed");
  return [
    ...(failed?.kind === "failed"
      ? [
          problem(
            `Machines could not be read from ${provider}: ${failed.error.message}`,
            adviceFor(
              failed.error,
              "Check the credentials, the project and the region of --cloud-config.",
            ),
          ),
        ]
      : []),
    ...(missing.length > 0 && found.length === 0
      ? [
          problem(
            `${provider} does not show the machine of any node; missing: ${namesOf(missing)}.`,
            "Check that --cloud-config names the project and the region in which the nodes' machines are.",
          ),
        ]
      : []),
    ...(missing.length > 0 && found.length > 0
      ? [
          warning(
            `${provider} shows no machine for ${namesOf(missing)}.`,
            "Check that these machines exist; if they are gone, the controller removes their nodes once they are not ready.",
          ),
        ]
      : []),
    ...(unclaimed.length > 0
      ? [
          warning(
            `${provider} cannot say which machine belongs to ${namesOf(unclaimed)}.`,
            "Compare the nodes' names with the machines' names in the cloud.",
          ),
        ]
      : []),
    ...(refs.length === 0 ? [NO_NODE] : []),
    ...(found.length > 0
      ? [ok(`${provider} knows the machines of ${found.length} of ${refs.length} nodes.`)]
      : []),
  ];
}

async function examineLoadBalancers(context: CloudToExamine): Promise<Judged[]> {
  const { cloud, clusterUid, nodes } = context;
  const { name, loadBalancers } = cloud.provider;
  if (loadBalancers === undefined) return [ok(`${name} offers no load balancers.`)];
  if (clusterUid === undefined || !isIdentified(clusterUid)) {
    return [
      unknown(
        "Load balancers could not be listed, because the cluster's identity is unknown.",
        nodes === undefined
          ? "Run doctor again once the cluster answers."
          : "Grant get on the namespace kube-system.",
      ),
    ];
  }
  const port = cloud.balancers(clusterUid)?.for(runOf(context));
  return await read("Load balancers", name, async () => {
    const owned = (await port?.owned("refresh")) ?? [];
    return `Load balancers can be listed; ${owned.length} belong to this cluster.`;
  });
}

async function examineRoutes(context: CloudToExamine): Promise<Judged[]> {
  const { routes, provider } = context.cloud;
  if (routes === undefined) return [ok(`${provider.name} offers no routes.`)];
  return await read("Routes", provider.name, async () => {
    const seen = await routes.for(runOf(context)).list(FRESH);
    return `Routes can be listed; there are ${seen.routes.length}.`;
  });
}

async function read(
  what: string,
  provider: string,
  work: () => Promise<string>,
): Promise<Judged[]> {
  try {
    return [ok(await work())];
  } catch (error) {
    const why = messageOf(error);
    return [
      problem(
        `${what} could not be read from ${provider}: ${why}`,
        adviceFor(
          error,
          "Check what the credentials of --cloud-config may do; docs/providers lists what each provider needs.",
        ),
      ),
    ];
  }
}

/** A cloud that does not respond is not a matter of credentials. */
function adviceFor(error: unknown, otherwise: string): string {
  return isProviderError(error) && error.code === "Unavailable"
    ? "Check that the cloud answers at the addresses in --cloud-config, from this machine."
    : otherwise;
}

function runOf({ nowMs, signal }: CloudToExamine): LookupRun {
  return { startedAt: nowMs, signal, step: () => {} };
}

function namesOf(refs: readonly InstanceRef[]): string {
  return someOf(refs.map(({ nodeName }) => nodeName));
}
