import { createNodeIpamReconciler } from "@cloudwright/core/controllers/node-ipam/create-node-ipam-reconciler";
import { startNodeIpamController } from "@cloudwright/core/controllers/node-ipam/start-node-ipam-controller";
import { NODES, type Node } from "@cloudwright/core/kube/client";
import { listAll } from "@cloudwright/core/kube/informer/paged-list";
import { stripManagedFields, stripNode } from "@cloudwright/core/kube/informer/strip";
import { cause, eventMessage } from "@cloudwright/core/model/sentence";
import { formatCidr } from "@cloudwright/core/model/values/cidr";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import { podRangesOf } from "../../flags/pod-ranges.ts";
import { messageOf } from "../cluster/connect-cluster.ts";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

/** Upstream's (spec/40 §10). */
const WRITING_AT_ONCE = 30;

/** Starts the controller that gives nodes their pod ranges (spec/40 part B). */
export function startNodeIpam(parts: ControllerParts): StartedController {
  const { foundation, client } = parts;
  const { flags, log, metrics, random } = foundation;
  const { ranges, serviceRanges, ignored } = podRangesOf(flags);
  if (ignored.length > 0) {
    log.warn(
      { ranges: ignored },
      "These values of --service-cluster-ip-range are not CIDRs and are ignored",
    );
  }
  log.info(
    { ranges: ranges.map(({ cidr, nodeMask }) => `${formatCidr(cidr)} by /${nodeMask}`) },
    "Assigning pod ranges to nodes from these ranges",
  );
  let isKnown = false;
  return startController(parts, {
    name: "node-ipam-controller",
    concurrency: WRITING_AT_ONCE,
    wording: wordsOfFailure,
    build: (means) => {
      const { queue } = means;
      const reconciler = createNodeIpamReconciler({
        ...means,
        ranges,
        serviceRanges,
        dryRun: flags["dry-run"],
        metrics: metrics.ipam,
        wake: (name, what) => queue.add(name, { kind: "change", what }, "change"),
      });
      const feed = () =>
        startNodeIpamController({
          ...means,
          random,
          reconciler,
          list: async (signal) => {
            const nodes = await listNodes(client, signal);
            isKnown = true;
            return nodes;
          },
          onError: (error) =>
            log.warn({ error: messageOf(error) }, "The pod ranges of the nodes could not be read"),
        });
      return { reconciler, feed, isAsking: () => !isKnown };
    },
  });
}

async function listNodes(
  client: ControllerParts["client"],
  signal: AbortSignal,
): Promise<readonly Node[]> {
  const { items } = await listAll<Node>({
    client,
    target: { resource: NODES },
    query: {},
    signal,
    onHeard: () => undefined,
    transform: (node) => stripNode(stripManagedFields(node)),
  });
  return items;
}

const FAILED: ReadonlySet<RunOutcome["outcome"]> = new Set(["failed", "timedOut"]);

/** Upstream's Events of a node that gets no pod range, with our cause; as warnings (spec/40 IW-1). */
function wordsOfFailure({ outcome, reason, object }: RunOutcome) {
  if (reason.code === "PodCIDRsExhausted") {
    const message = `Node ${object.name} status is now: CIDRNotAvailable: ${eventMessage(reason)}`;
    return { reason: "CIDRNotAvailable", message };
  }
  if (!FAILED.has(outcome)) return undefined;
  const message = `Node ${object.name} status is now: CIDRAssignmentFailed: ${cause(reason)}.`;
  return { reason: "CIDRAssignmentFailed", message };
}
