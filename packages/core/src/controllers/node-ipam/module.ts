import type { KubeConnection } from "../../kube/calls/kube-client.ts";
import { NODES, type Node } from "../../kube/client.ts";
import { eventText } from "../../kube/events/event-object.ts";
import { listAll } from "../../kube/informer/paged-list.ts";
import { stripManagedFields, stripNode } from "../../kube/informer/strip.ts";
import { cause, eventMessage } from "../../model/sentence.ts";
import { formatCidr } from "../../model/values/cidr.ts";
import { messageOf } from "../../model/values/message-of.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import type { ControllerModule, ModuleContext } from "../controller-module.ts";
import { createNodeIpamReconciler } from "./create-node-ipam-reconciler.ts";
import { IPAM_GAUGES, IPAM_METRICS, ipamMetrics } from "./ipam-metrics.ts";
import { type PodRangeFlags, podRangesOf } from "./pod-ranges.ts";
import { startNodeIpamController } from "./start-node-ipam-controller.ts";

interface Flags extends PodRangeFlags {
  readonly "allocate-node-cidrs": boolean;
  readonly "dry-run": boolean;
}

/** Upstream's value (spec/40 §10). */
const WRITING_AT_ONCE = 30;

/** Gives nodes their pod ranges (spec/40 part B). */
export const nodeIpamModule: ControllerModule<Flags> = {
  name: "node-ipam-controller",
  needs: { flag: "allocate-node-cidrs", isOnByFlag: true },
  watches: [],
  permissions: {
    part: "node-ipam",
    work: [
      { group: "", resource: "nodes", verbs: ["patch"], without: "nodes get no pod ranges" },
      {
        group: "",
        resource: "nodes",
        verbs: ["get"],
        without: "a pod range whose write got no answer is reported as a failure",
      },
    ],
  },
  metrics: IPAM_METRICS,
  gauges: IPAM_GAUGES,
  start: (context, run) => {
    const { flags, client, log, random, instruments } = context;
    const { ranges, serviceRanges } = announcedRanges(context);
    let isKnown = false;
    return run({
      concurrency: WRITING_AT_ONCE,
      wording: textOfFailure,
      build: (means) => {
        const reconciler = createNodeIpamReconciler({
          ...means,
          ranges,
          serviceRanges,
          dryRun: flags["dry-run"],
          metrics: ipamMetrics(instruments),
          wake: (name, what) => means.queue.add(name, { kind: "change", what }, "change"),
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
              log.warn(
                { error: messageOf(error) },
                "The pod ranges of the nodes could not be read",
              ),
          });
        return { reconciler, feed, isRequesting: () => !isKnown };
      },
    });
  },
};

function announcedRanges({ flags, log }: Pick<ModuleContext<Flags>, "flags" | "log">) {
  const given = podRangesOf(flags);
  if (given.ignored.length > 0) {
    log.warn(
      { ranges: given.ignored },
      "These values of --service-cluster-ip-range are not CIDRs and are ignored",
    );
  }
  log.info(
    { ranges: given.ranges.map(({ cidr, nodeMask }) => `${formatCidr(cidr)} by /${nodeMask}`) },
    "Assigning pod ranges to nodes from these ranges",
  );
  return given;
}

async function listNodes(client: KubeConnection, signal: AbortSignal): Promise<readonly Node[]> {
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

/** Upstream's Events for a node without a pod range, with our cause and as warnings (spec/40 IW-1). */
function textOfFailure({ outcome, reason, object }: RunOutcome) {
  if (reason.code === "PodCIDRsExhausted") {
    const message = `Node ${object.name} status is now: CIDRNotAvailable: ${eventMessage(reason)}`;
    return eventText("CIDRNotAvailable", message);
  }
  if (!FAILED.has(outcome)) return undefined;
  const message = `Node ${object.name} status is now: CIDRAssignmentFailed: ${cause(reason)}.`;
  return eventText("CIDRAssignmentFailed", message);
}
