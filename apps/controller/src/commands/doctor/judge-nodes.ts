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
import { capitalise } from "@cloudwright/core/model/sentence";
import { grouped } from "@cloudwright/core/model/values/grouped";
import { type Judged, ok, problem, someOf, warning } from "./finding.ts";

export interface NodesToJudge {
  readonly nodes: readonly Node[];
  readonly provider: string;
  /** The controllers that these flags and this provider let run. */
  readonly running: readonly ControllerName[];
}

const NETWORK_TAINT = "node.kubernetes.io/network-unavailable";

/** Finds nodes that no controller will ever initialise, and taints that nothing will remove. */
export function judgeNodes({ nodes, provider, running }: NodesToJudge): Judged[] {
  const own = nodes.filter((node) => otherOwnerOf(node, provider) === undefined);
  const others = nodes.filter((node) => otherOwnerOf(node, provider) !== undefined);
  const found = [
    judgeKubelets(nodes),
    judgeOwners(nodes, provider),
    judgeTwins(nodes),
    judgeTaint(others, {
      has: isUninitialised,
      runs: false,
      waiting: "",
      never:
        "still tainted as uninitialised, and this controller does not remove that taint from nodes of other clouds",
      advice:
        "If the provider ID is wrong, delete the Node object and let its kubelet register it again; if it is right, the manager of that cloud has to run.",
    }),
    judgeTaint(own, {
      has: isUninitialised,
      runs: running.includes("cloud-node-controller"),
      waiting: "waiting to be initialised",
      never: "uninitialised, and with these flags no controller removes the taint",
      advice: "Let cloud-node-controller run: check --controllers and the provider.",
    }),
    judgeTaint(own, {
      has: (node) => taintsOf(node).some(({ key }) => key === SHUTDOWN_TAINT),
      runs: running.includes("cloud-node-lifecycle-controller"),
      waiting: "tainted as shut down",
      never: "tainted as shut down, and with these flags no controller removes the taint",
      advice: "Let cloud-node-lifecycle-controller run: check --controllers and the provider.",
    }),
    judgeTaint(own, {
      has: hasNoNetwork,
      runs: running.includes("node-route-controller"),
      waiting: "waiting for a route",
      never:
        "without a network yet, and this controller makes no routes: the network plug-in has to remove the taint",
      advice:
        "Check that the network plug-in's pods run on these nodes, or let node-route-controller run with --configure-cloud-routes=true.",
    }),
  ].flat();
  if (found.length > 0) return found;
  return [ok(`${nodes.length === 1 ? "The node is" : `All ${nodes.length} nodes are`} in order.`)];
}

/**
 * Judges whether kubelets run with `--cloud-provider=external`, which registers nodes with the taint. A node with neither the
 * taint nor a provider ID was registered without the flag, or somebody has removed its taint.
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
      `No cloud controller manager will ever initialise ${namesOf(skipped)}: there is neither a provider ID nor the taint of an uninitialised node.`,
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
            `The provider ID of ${namesOf(foreign)} belongs to a cloud other than ${provider}, so the controller leaves such nodes alone.`,
            "This is normal in a cluster with nodes of several clouds; otherwise check --cloud-provider.",
          ),
        ]),
    ...(malformed.length === 0
      ? []
      : [
          problem(
            `The provider ID of ${namesOf(malformed)} has no scheme (${provider}://…).`,
            "Delete these Node objects and let their kubelets register them again; a provider ID cannot be changed.",
          ),
        ]),
  ];
}

/** Finds machines with two Nodes: one of them is never initialised, or has the other's addresses. */
function judgeTwins(nodes: readonly Node[]): Judged[] {
  const withId = nodes.filter((node) => providerIdOf(node) !== undefined);
  const twins = [...grouped(withId, providerIdOf)].filter(([, alike]) => alike.length > 1);
  const shown = twins
    .slice(0, MOST_SHOWN)
    .map(([providerID, alike]) =>
      problem(`${capitalise(namesOf(alike))} have the same provider ID ${providerID}.`, NO_TWINS),
    );
  const more = twins.length - shown.length;
  if (more <= 0) return shown;
  const ids = more === 1 ? "1 more provider ID is" : `${more} more provider IDs are`;
  return [...shown, problem(`${ids} shared by several nodes.`, NO_TWINS)];
}

const NO_TWINS =
  "Delete the Node whose machine is a different one or is gone, and let its kubelet register it again.";
const MOST_SHOWN = 5;

interface TaintRule {
  has(node: Node): boolean;
  readonly runs: boolean;
  /** Follows "is" or "are". */
  readonly waiting: string;
  readonly never: string;
  readonly advice: string;
}

function judgeTaint(nodes: readonly Node[], rule: TaintRule): Judged[] {
  const tainted = nodes.filter(rule.has);
  if (tainted.length === 0) return [];
  const who = `${capitalise(namesOf(tainted))} ${tainted.length === 1 ? "is" : "are"}`;
  return rule.runs
    ? [ok(`${who} ${rule.waiting}; this controller removes the taint.`)]
    : [problem(`${who} ${rule.never}.`, rule.advice)];
}

function hasNoNetwork(node: Node): boolean {
  return taintsOf(node).some(({ key }) => key === NETWORK_TAINT);
}

/** Formats nodes as `the node w-1` or `3 nodes (w-1, w-2, w-3)`. */
function namesOf(nodes: readonly Node[]): string {
  const names = nodes.map(({ metadata }) => metadata?.name ?? "");
  return names.length === 1 ? `the node ${names[0]}` : `${names.length} nodes (${someOf(names)})`;
}
