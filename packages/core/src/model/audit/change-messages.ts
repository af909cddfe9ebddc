import { t, worded } from "../language/text.ts";
import { type ObjectRef, objectName } from "../object-ref.ts";
import type { Change, ChangeKind, KnownChange, NotTaken } from "../plan.ts";
import { cause, type TimeLabels } from "../sentence.ts";
import type { Json } from "../values/json.ts";

const VERBS: Readonly<Record<KnownChange, string>> = worded({
  "node.addresses.write": () => t`Write the addresses of`,
  "node.initialise": () => t`Write provider ID and labels and remove the uninitialized taint of`,
  "node.labels.write": () => t`Write the labels of`,
  "node.shutdown-taint.add": () => t`Add the shutdown taint to`,
  "node.shutdown-taint.remove": () => t`Remove the shutdown taint from`,
  "node.delete": () => t`Delete`,
  "node.hold": () => t`Hold`,
  "node.release": () => t`Release`,
  "node.override": () => t`Remove the uninitialized taint, unfinished, from`,
  "node.override-end": () => t`Put the uninitialized taint back on`,
  "service.finalizer.add": () => t`Add the finalizer to`,
  "service.finalizer.remove": () => t`Remove the finalizer from`,
  "service.status.write": () => t`Publish the address of`,
  "service.condition.write": () => t`Write the condition of`,
  "service.hold": () => t`Hold`,
  "service.release": () => t`Release`,
  "balancer.create": () => t`Create the load balancer of`,
  "balancer.adopt": () => t`Adopt the load balancer of`,
  "balancer.update": () => t`Change the load balancer of`,
  "balancer.members": () => t`Change the members of the load balancer of`,
  "balancer.delete": () => t`Delete the load balancer of`,
  "route.create": () => t`Create the route to`,
  "route.delete": () => t`Delete the route to`,
  "node.network-condition.write": () => t`Write the condition NetworkUnavailable of`,
  "node.pod-cidrs.write": () => t`Give pod ranges to`,
  "volume.hold": () => t`Hold`,
  "volume.release": () => t`Release`,
  "volume.labels.write": () => t`Write zone and region of`,
  "volume.grow": () => t`Grow the disk of`,
  "volume.capacity.write": () => t`Write the size of`,
  "claim.status.write": () => t`Write the size of the claim of`,
  "controller.pause": () => t`Pause`,
  "controller.resume": () => t`Resume`,
  "guard.release": () => t`Release deletions of`,
  "setting.change": () => t`Change a setting of`,
});

type Titled = Pick<Change, "kind" | "target"> & Partial<Pick<Change, "before" | "after">>;

/** What a change does to which object: `Hold node w-9`, `Change listener 443/TCP of Service shop/web`. */
export function changeTitle(change: Titled): string {
  const { kind, target } = change;
  const special = cloudTitle(change) ?? settingTitle(change);
  return special ?? `${verbOf(kind)} ${kindWord(target.kind)} ${objectName(target)}`;
}

/** As it stands in a sentence: `node`, `load balancer`, `Service`. */
export function kindWord(kind: ObjectRef["kind"]): string {
  if (kind === "Service" || kind === "PersistentVolume") return kind;
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

const CLOUD_VERBS: Partial<Record<ChangeKind, string>> = worded({
  "balancer.create": () => t`Create`,
  "balancer.adopt": () => t`Adopt`,
  "balancer.update": () => t`Change`,
  "balancer.delete": () => t`Delete`,
});

/** The part that a write to a cloud belongs to; undefined for all else. */
function cloudTitle(change: Titled): string | undefined {
  const { kind, target } = change;
  const what = memberOf(change.after, "what") ?? memberOf(change.before, "what");
  if (kind === "route.create" || kind === "route.delete") return routeTitle(change);
  if (kind === "balancer.members")
    return `${verbOf(kind)} ${thingOf(target)}${memberCounts(change)}`;
  const verb = CLOUD_VERBS[kind];
  if (verb === undefined || typeof what !== "string") return undefined;
  if (target.kind === "LoadBalancer") return `${verb} ${what} ${partOf(change)}`;
  const joint = kind === "balancer.create" || kind === "balancer.adopt" ? "for" : "of";
  return `${verb} ${what} ${joint} ${thingOf(target)}`;
}

/** `Create the route to 10.0.3.0/24 of node w-9`, `Delete the route to 10.0.4.0/24, r-17`. */
function routeTitle({ kind, target, before, after }: Titled): string | undefined {
  const destination = memberOf(after, "destination") ?? memberOf(before, "destination");
  if (typeof destination !== "string") return undefined;
  const whose = target.kind === "Route" ? `, ${objectName(target)}` : t` of ${thingOf(target)}`;
  return `${verbOf(kind)} ${destination}${whose}`;
}

/** `Change --node-monitor-period from 5s to 10s`. */
function settingTitle({ kind, before, after }: Titled): string | undefined {
  if (kind !== "setting.change" || typeof before !== "object" || before === null) return undefined;
  const [name = "", from] = Object.entries(before)[0] ?? [];
  const value = memberOf(after, name);
  if (typeof from !== "string" || typeof value !== "string") return undefined;
  return `Change --${name} from ${from} to ${value}`;
}

function thingOf(target: ObjectRef): string {
  return `${kindWord(target.kind)} ${objectName(target)}`;
}

/** The cloud's id of the part, or the name that it will have. */
function partOf({ after, before, target }: Titled): string {
  const part = memberOf(after, "target") ?? memberOf(before, "target");
  return typeof part === "string" ? part : objectName(target);
}

/** ` (2 new, 1 gone)` */
function memberCounts({ after }: Titled): string {
  const fields = memberOf(after, "fields");
  const count = (name: string) => {
    const list = memberOf(fields, name);
    return Array.isArray(list) ? list.length : 0;
  };
  const parts = [
    [count("added"), "new"],
    [count("removed"), "gone"],
  ].flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function memberOf(part: Json | undefined, name: string): Json | undefined {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return undefined;
  return Object.entries(part).find(([key]) => key === name)?.[1];
}

/** What a plan may leave out, in words: steps are named by what they do or, where that is all, by the kind of their change. */
export function stepTitle(step: string): string {
  if (step === "providerID") return t`provider ID`;
  if (!isKnownChange(step)) return step;
  return lowerFirst(VERBS[step].replace(/ (?:of|to|from|for|behind)$/, ""));
}

function isKnownChange(kind: string): kind is KnownChange {
  return Object.hasOwn(VERBS, kind);
}

/** Of a kind that this release does not know, from its name: `namespace.labels.write` is `Write the labels of`. */
function verbOf(kind: ChangeKind): string {
  if (isKnownChange(kind)) return VERBS[kind];
  const { part, done } = partsOfKind(kind);
  return part === undefined ? upperFirst(done) : t`${upperFirst(done)} the ${part} of`;
}

/** What a change is made of, by its kind: the part of the object, and what is done to it. */
export function partsOfKind(kind: ChangeKind): {
  readonly part: string | undefined;
  readonly done: string;
} {
  const words = kind.split(".").slice(1);
  const done = words.pop() ?? kind;
  return { part: words.length === 0 ? undefined : words.join(" ").replaceAll("-", " "), done };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A change of a plan as a sentence: what, to which object, because of what. Times are in UTC unless `time` words them. */
export function changeSentence(change: Change, time?: TimeLabels): string {
  return t`${changeTitle(change)}, because ${lowerFirst(cause(change.reason, time))}.`;
}

export function notTakenSentence({ step, reason }: NotTaken, time?: TimeLabels): string {
  return t`${stepTitle(step)}: not done, because ${lowerFirst(cause(reason, time))}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
