import { t, worded } from "@cloudwright/core/model/language/text";
import type { Trigger } from "@cloudwright/core/model/run";

/** What began a run. */
export function triggerText(trigger: Trigger): string {
  switch (trigger.kind) {
    case "change":
      return changedText(trigger.what);
    case "period":
      return t`periodic check`;
    case "retry":
      return t`automatic retry`;
    case "start":
      return t`start or failover`;
    case "intent":
      return t`requested by ${trigger.actor}`;
  }
}

/** Records name what changed in English, several parts separated by commas; field names are not translated. */
function changedText(what: string): string {
  if (isKnown(what)) return CHANGED[what];
  return what
    .split(", ")
    .map(partText)
    .reduce((before, part) => t`${before}, ${part}`);
}

function partText(part: string): string {
  if (isKnown(part)) return CHANGED[part];
  const other = /^ranges of (.+)$/.exec(part)?.[1];
  return other === undefined ? part : t`ranges of ${other}`;
}

function isKnown(what: string): what is keyof typeof CHANGED {
  return Object.hasOwn(CHANGED, what);
}

const CHANGED = worded({
  created: () => t`created`,
  "created anew": () => t`recreated`,
  "made anew": () => t`recreated`,
  deleted: () => t`deleted`,
  deletion: () => t`deletion`,
  nodes: () => t`nodes`,
  ports: () => t`ports`,
  addresses: () => t`addresses`,
  annotations: () => t`annotations`,
  "other annotations": () => t`other annotations`,
  readiness: () => t`readiness`,
  capacity: () => t`capacity`,
  claim: () => t`claim`,
  "storage class": () => t`storage class`,
  hold: () => t`its hold`,
  "pod ranges": () => t`pod ranges`,
  "another node with its pod range": () => t`another node with its pod range`,
  "the other node with its pod range": () => t`the other node with its pod range`,
  "a pod range became free": () => t`a pod range became free`,
  "released from the deletion guard": () => t`released from the deletion guard`,
  "the deletion guard was changed": () => t`the deletion guard was changed`,
  "its load balancer, which is not needed": () => t`its load balancer, which is not needed`,
});
