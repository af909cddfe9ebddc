import {
  isUninitialised,
  otherOwnerOf,
  PROVIDED_NODE_IP_ANNOTATION,
  providerIdOf,
  SHUTDOWN_TAINT,
  taintsOf,
} from "@cloudwright/core/controllers/objects/node-object";
import type { Node } from "@cloudwright/core/kube/client";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { type Judged, ok, problem, someOf, warning } from "./finding.ts";

export interface NodesToJudge {
  readonly nodes: readonly Node[];
  readonly provider: string;
  /** Those that these flags and this provider let run. */
  readonly running: readonly ControllerName[];
}

const NETWORK_TAINT = "node.kubernetes.io/network-unavailable";

/** Nodes that no controller will ever finish, and taints that nobody will lift. */
export function judgeNodes({ nodes, provider, running }: NodesToJudge): Judged[] {
  const found = [
    judgeKubelets(nodes),
    judgeOwners(nodes, provider),
    judgeTaint(nodes, {
      has: isUninitialised,
      runs: running.includes("cloud-node-controller"),
      waiting: "are waiting to be initialised",
      never: "have the taint of an uninitialised node, and with these flags no controller lifts it",
      advice: "Let cloud-node-controller run: check --controllers and the provider.",
    }),
    judgeTaint(nodes, {
      has: (node) => taintsOf(node).some(({ key }) => key === SHUTDOWN_TAINT),
      runs: running.includes("cloud-node-lifecycle-controller"),
      waiting: "are tainted as shut down",
      never: "are tainted as shut down, and with these flags no controller lifts that",
      advice: "Let cloud-node-lifecycle-controller run: check --controllers and the provider.",
    }),
    judgeTaint(nodes, {
      has: hasNoNetwork,
      runs: running.includes("node-route-controller"),
      waiting: "are waiting for their route",
      never:
        "have no network yet, and this controller makes no routes: their network plug-in has to lift the taint",
      advice:
        "Check that the network plug-in's pods run on these nodes, or let node-route-controller run with --configure-cloud-routes=true.",
    }),
  ].flat();
  if (found.length > 0) return found;
  return [ok(`${nodes.length === 1 ? "The node is" : `All ${nodes.length} nodes are`} in order.`)];
}

/**
 * A kubelet with `--cloud-provider=external` registers its node with the taint. One that has neither the taint nor a provider
 * ID was registered without the flag, or lost its taint to somebody else.
 */
function judgeKubelets(nodes: readonly Node[]): Judged[] {
  const skipped = nodes.filter(
    (node) =>
      providerIdOf(node) === undefined &&
      !isUninitialised(node) &&
      node.metadata?.annotations?.[PROVIDED_NODE_IP_ANNOTATION] === undefined,
  );
  if (skipped.length === 0) return [];
  return [
    problem(
      `${namesOf(skipped)} have neither a provider ID nor the taint of an uninitialised node, so no cloud controller manager will ever initialise them.`,
      "Start their kubelets with --cloud-provider=external, delete the Node objects, and let the kubelets register them again.",
    ),
  ];
}

function judgeOwners(nodes: readonly Node[], provider: string): Judged[] {
  const foreign = nodes.filter((node) => otherOwnerOf(node, provider) === "foreign");
  const malformed = nodes.filter((node) => otherOwnerOf(node, provider) === "malformed");
  return [
    ...(foreign.length === 0
      ? []
      : [
          warning(
            `${namesOf(foreign)} have a provider ID of another cloud than ${provider}, and are left alone.`,
            "That is right in a cluster with nodes of several clouds; otherwise check --cloud-provider.",
          ),
        ]),
    ...(malformed.length === 0
      ? []
      : [
          problem(
            `${namesOf(malformed)} have a provider ID without a scheme (${provider}://…).`,
            "Delete these Node objects and let their kubelets register them again; a provider ID cannot be changed.",
          ),
        ]),
  ];
}

interface TaintRule {
  has(node: Node): boolean;
  readonly runs: boolean;
  readonly waiting: string;
  readonly never: string;
  readonly advice: string;
}

function judgeTaint(nodes: readonly Node[], rule: TaintRule): Judged[] {
  const tainted = nodes.filter(rule.has);
  if (tainted.length === 0) return [];
  const names = namesOf(tainted);
  return rule.runs
    ? [ok(`${names} ${rule.waiting}; this controller lifts the taint.`)]
    : [problem(`${names} ${rule.never}.`, rule.advice)];
}

function hasNoNetwork(node: Node): boolean {
  return taintsOf(node).some(({ key }) => key === NETWORK_TAINT);
}

function namesOf(nodes: readonly Node[]): string {
  return `${nodes.length} of the nodes (${someOf(nodes.map(({ metadata }) => metadata?.name ?? ""))})`;
}
