import { objectName } from "./object-ref.ts";
import type { Change, ChangeKind, NotTaken } from "./plan.ts";
import { cause } from "./sentence.ts";

const VERBS: Record<ChangeKind, string> = {
  "node.addresses.write": "Write the addresses of",
  "node.initialise": "Write provider ID and labels and remove the uninitialized taint of",
  "node.labels.write": "Write the labels of",
  "node.shutdown-taint.add": "Add the shutdown taint to",
  "node.shutdown-taint.remove": "Remove the shutdown taint from",
  "node.delete": "Delete",
  "node.hold": "Hold",
  "node.release": "Release",
  "node.override": "Remove the uninitialized taint, unfinished, from",
  "node.override-end": "Put the uninitialized taint back on",
  "service.finalizer.add": "Add the finalizer to",
  "service.finalizer.remove": "Remove the finalizer from",
  "service.status.write": "Publish the address of",
  "service.hold": "Hold",
  "service.release": "Release",
  "balancer.create": "Create the load balancer of",
  "balancer.update": "Change the load balancer of",
  "balancer.members": "Change the members of the load balancer of",
  "balancer.delete": "Delete the load balancer of",
  "controller.pause": "Pause",
  "controller.resume": "Resume",
  "guard.release": "Release deletions of",
};

/** What a change does to which object: `Hold node w-9`. */
export function changeTitle({ kind, target }: Pick<Change, "kind" | "target">): string {
  return `${VERBS[kind]} ${target.kind.toLowerCase()} ${objectName(target)}`;
}

/** A change of a plan as a sentence: what, to which object, because of what. */
export function changeSentence(change: Change): string {
  return `${changeTitle(change)}, because ${lowerFirst(cause(change.reason))}.`;
}

export function notTakenSentence({ step, reason }: NotTaken): string {
  return `${step}: not done, because ${lowerFirst(cause(reason))}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
