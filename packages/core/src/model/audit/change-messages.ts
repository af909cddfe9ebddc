import { partName } from "../language/cloud-words.ts";
import { currentLanguage, t, worded } from "../language/text.ts";
import { type ObjectRef, objectName } from "../object-ref.ts";
import type { Change, ChangeKind, KnownChange, NotTaken } from "../plan.ts";
import type { Reason } from "../reason.ts";
import { cause, causeOf, type TimeLabels } from "../sentence.ts";
import { type ChangeTitle, isOfRoute, partOf, type Titled, titleOf } from "./change-title.ts";

const TITLES: Readonly<Record<KnownChange, (thing: string) => string>> = {
  "node.addresses.write": (thing) => t`Write the addresses of ${thing}`,
  "node.initialise": (thing) =>
    t`Write provider ID and labels and remove the uninitialized taint of ${thing}`,
  "node.labels.write": (thing) => t`Write the labels of ${thing}`,
  "node.shutdown-taint.add": (thing) => t`Add the shutdown taint to ${thing}`,
  "node.shutdown-taint.remove": (thing) => t`Remove the shutdown taint from ${thing}`,
  "node.delete": (thing) => t`Delete ${thing}`,
  "node.hold": (thing) => t`Hold ${thing}`,
  "node.release": (thing) => t`Release ${thing}`,
  "node.override": (thing) => t`Remove the uninitialized taint, unfinished, from ${thing}`,
  "node.override-end": (thing) => t`Put the uninitialized taint back on ${thing}`,
  "service.finalizer.add": (thing) => t`Add the finalizer to ${thing}`,
  "service.finalizer.remove": (thing) => t`Remove the finalizer from ${thing}`,
  "service.status.write": (thing) => t`Publish the address of ${thing}`,
  "service.condition.write": (thing) => t`Write the condition of ${thing}`,
  "service.hold": (thing) => t`Hold ${thing}`,
  "service.release": (thing) => t`Release ${thing}`,
  "balancer.create": (thing) => t`Create the load balancer of ${thing}`,
  "balancer.adopt": (thing) => t`Adopt the load balancer of ${thing}`,
  "balancer.update": (thing) => t`Change the load balancer of ${thing}`,
  "balancer.members": (thing) => t`Change the members of the load balancer of ${thing}`,
  "balancer.delete": (thing) => t`Delete the load balancer of ${thing}`,
  "route.create": (thing) => t`Create the route to ${thing}`,
  "route.delete": (thing) => t`Delete the route to ${thing}`,
  "node.network-condition.write": (thing) => t`Write the condition NetworkUnavailable of ${thing}`,
  "node.pod-cidrs.write": (thing) => t`Give pod ranges to ${thing}`,
  "volume.hold": (thing) => t`Hold ${thing}`,
  "volume.release": (thing) => t`Release ${thing}`,
  "volume.labels.write": (thing) => t`Write zone and region of ${thing}`,
  "volume.grow": (thing) => t`Grow the disk of ${thing}`,
  "volume.capacity.write": (thing) => t`Write the size of ${thing}`,
  "claim.status.write": (thing) => t`Write the size of the claim of ${thing}`,
  "controller.pause": (thing) => t`Pause ${thing}`,
  "controller.resume": (thing) => t`Resume ${thing}`,
  "guard.release": (thing) => t`Release deletions of ${thing}`,
  "setting.change": (thing) => t`Change a setting of ${thing}`,
};

/** Steps that have the name of their change's kind, without the object. */
const CHANGE_STEPS: Readonly<Record<KnownChange, string>> = worded({
  "node.addresses.write": () => t`write the addresses`,
  "node.initialise": () => t`write provider ID and labels and remove the uninitialized taint`,
  "node.labels.write": () => t`write the labels`,
  "node.shutdown-taint.add": () => t`add the shutdown taint`,
  "node.shutdown-taint.remove": () => t`remove the shutdown taint`,
  "node.delete": () => t`delete`,
  "node.hold": () => t`hold`,
  "node.release": () => t`release`,
  "node.override": () => t`remove the uninitialized taint, unfinished,`,
  "node.override-end": () => t`put the uninitialized taint back on`,
  "service.finalizer.add": () => t`add the finalizer`,
  "service.finalizer.remove": () => t`remove the finalizer`,
  "service.status.write": () => t`publish the address`,
  "service.condition.write": () => t`write the condition`,
  "service.hold": () => t`hold`,
  "service.release": () => t`release`,
  "balancer.create": () => t`create the load balancer`,
  "balancer.adopt": () => t`adopt the load balancer`,
  "balancer.update": () => t`change the load balancer`,
  "balancer.members": () => t`change the members of the load balancer`,
  "balancer.delete": () => t`delete the load balancer`,
  "route.create": () => t`create the route`,
  "route.delete": () => t`delete the route`,
  "node.network-condition.write": () => t`write the condition NetworkUnavailable`,
  "node.pod-cidrs.write": () => t`give pod ranges`,
  "volume.hold": () => t`hold`,
  "volume.release": () => t`release`,
  "volume.labels.write": () => t`write zone and region`,
  "volume.grow": () => t`grow the disk`,
  "volume.capacity.write": () => t`write the size`,
  "claim.status.write": () => t`write the size of the claim`,
  "controller.pause": () => t`pause`,
  "controller.resume": () => t`resume`,
  "guard.release": () => t`release deletions`,
  "setting.change": () => t`change a setting`,
});

/** Steps that have their own English names in plans. */
const OTHER_STEPS = worded({
  providerID: () => t`provider ID`,
  "provider ID": () => t`provider ID`,
  identity: () => t`identity`,
  labels: () => t`labels`,
  addresses: () => t`addresses`,
  initialise: () => t`initialise`,
  delete: () => t`delete`,
  adopt: () => t`adopt`,
  growth: () => t`growth`,
  "node affinity": () => t`node affinity`,
  "end of the hold": () => t`end of the hold`,
  "give pod ranges": () => t`give pod ranges`,
  "another pod range": () => t`another pod range`,
});

/** Returns what a change does to which object: `Hold node w-9`, `Change listener 443/TCP of Service shop/web`. */
export function changeTitle(change: Titled): string {
  return titleText(titleOf(change));
}

export function titleText(title: ChangeTitle): string {
  return cloudTitle(title) ?? settingTitle(title) ?? plainTitle(title);
}

function plainTitle({ kind, target }: ChangeTitle): string {
  return titleWith(kind, thingOf(target));
}

const KIND_WORDS: Readonly<Record<string, string>> = worded({
  Node: () => t`node`,
  LoadBalancer: () => t`load balancer`,
  Route: () => t`route`,
  RouteTable: () => t`route table`,
  Controller: () => t`controller`,
  Cluster: () => t`cluster`,
  User: () => t`user`,
});

/** Returns the word within a sentence: `node`, `load balancer`, `Service`. */
export function kindWord(kind: ObjectRef["kind"]): string {
  if (kind === "Service" || kind === "PersistentVolume") return kind;
  const known = Object.hasOwn(KIND_WORDS, kind) ? KIND_WORDS[kind] : undefined;
  return known ?? kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

interface PartTitles {
  /** For something in the cloud that belongs to an object. */
  readonly whole: (what: string, thing: string) => string;
  /** For a part of something that exists only in the cloud. */
  readonly part: (what: string, part: string) => string;
}

const CLOUD_TITLES: Partial<Record<ChangeKind, PartTitles>> = {
  "balancer.create": {
    whole: (what, thing) => t`Create ${what} for ${thing}`,
    part: (what, part) => t`Create ${what} ${part}`,
  },
  "balancer.adopt": {
    whole: (what, thing) => t`Adopt ${what} for ${thing}`,
    part: (what, part) => t`Adopt ${what} ${part}`,
  },
  "balancer.update": {
    whole: (what, thing) => t`Change ${what} of ${thing}`,
    part: (what, part) => t`Change ${what} ${part}`,
  },
  "balancer.delete": {
    whole: (what, thing) => t`Delete ${what} of ${thing}`,
    part: (what, part) => t`Delete ${what} ${part}`,
  },
};

/** Returns the title with the part that a write to a cloud concerns; undefined for all other changes. */
function cloudTitle(title: ChangeTitle): string | undefined {
  const { kind, target, what } = title;
  if (isOfRoute(kind)) return routeTitle(title);
  if (kind === "balancer.members") return `${plainTitle(title)}${memberCounts(title)}`;
  const titles = CLOUD_TITLES[kind];
  if (titles === undefined || what === undefined) return undefined;
  return target.kind === "LoadBalancer"
    ? titles.part(partName(what), partOf(title))
    : titles.whole(partName(what), thingOf(target));
}

/** Returns `Create the route to 10.0.3.0/24 of node w-9`, `Delete the route to 10.0.4.0/24, r-17`. */
function routeTitle({ kind, target, destination }: ChangeTitle): string | undefined {
  if (destination === undefined) return undefined;
  if (target.kind === "Route") return `${titleWith(kind, destination)}, ${objectName(target)}`;
  return kind === "route.create"
    ? t`Create the route to ${destination} of ${thingOf(target)}`
    : t`Delete the route to ${destination} of ${thingOf(target)}`;
}

/** Returns `Change --node-monitor-period from 5s to 10s`. */
function settingTitle({ setting }: ChangeTitle): string | undefined {
  if (setting === undefined) return undefined;
  return t`Change --${setting.name} from ${setting.from} to ${setting.to}`;
}

function thingOf(target: ObjectRef): string {
  return `${kindWord(target.kind)} ${objectName(target)}`;
}

/** Returns ` (2 new, 1 gone)`. */
function memberCounts({ added = 0, removed = 0 }: ChangeTitle): string {
  const parts = [
    ...(added === 0 ? [] : [t`${added} new`]),
    ...(removed === 0 ? [] : [t`${removed} gone`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/**
 * Returns the text for a step that a plan may leave out: steps are named by what they do or, if nothing else is known, by the
 * kind of their change.
 */
export function stepTitle(step: string): string {
  if (isKnownChange(step)) return CHANGE_STEPS[step];
  if (isOtherStep(step)) return OTHER_STEPS[step];
  const [, range] = /^pod range of (\S+)$/.exec(step) ?? [];
  if (range !== undefined) return t`pod range of ${range}`;
  const [, node] = /^release (\S+)$/.exec(step) ?? [];
  return node === undefined ? step : t`release ${node}`;
}

function isKnownChange(kind: string): kind is KnownChange {
  return Object.hasOwn(TITLES, kind);
}

function isOtherStep(step: string): step is keyof typeof OTHER_STEPS {
  return Object.hasOwn(OTHER_STEPS, step);
}

/**
 * For a kind that this release does not know, the title follows from its name: `namespace.labels.write` is `Write
 * the labels of`.
 */
function titleWith(kind: ChangeKind, thing: string): string {
  if (isKnownChange(kind)) return TITLES[kind](thing);
  const { part, done } = partsOfKind(kind);
  return part === undefined
    ? `${upperFirst(done)} ${thing}`
    : `${upperFirst(done)} the ${part} of ${thing}`;
}

/** Splits the kind of a change into the part of the object and the operation. */
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

/** Returns a change of a plan as a sentence: operation, object and reason. Times are in UTC unless `time` formats them. */
export function changeSentence(change: Change, time?: TimeLabels): string {
  return titleSentence({ title: titleOf(change), reason: change.reason }, time);
}

export function titleSentence(
  { title, reason }: { readonly title: ChangeTitle; readonly reason: Reason },
  time?: TimeLabels,
): string {
  return t`${titleText(title)}, because ${because(reason, time)}.`;
}

export function notTakenSentence({ step, reason }: NotTaken, time?: TimeLabels): string {
  return t`${stepTitle(step)}: not done, because ${because(reason, time)}.`;
}

/** In other languages a cause in the middle of a sentence starts unchanged, as it may start with a name. */
function because(reason: Reason, time?: TimeLabels): string {
  return currentLanguage() === "en" ? lowerFirst(cause(reason, time)) : causeOf(reason, time);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
