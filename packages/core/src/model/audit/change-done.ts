import { objectName } from "../object-ref.ts";
import type { Change, ChangeKind, KnownChange } from "../plan.ts";
import { partsOfKind } from "./change-messages.ts";
import { type DiffRow, diffRows } from "./diff-rows.ts";

type Done = Pick<Change, "kind" | "target" | "before" | "after">;

/**
 * Returns what a change has written, for the log: `node-3: deleted (uid 8f…, precondition uid and
 * resourceVersion)`, `shop/web: finalizer added`, `node-3: pod ranges written (podCIDRs: none → 10.0.3.0/24)`.
 */
export function changeDone(change: Done): string {
  const details = changeDetails(change);
  const done = `${objectName(change.target)}: ${doneOf(change.kind)}`;
  return details === "" ? done : `${done} (${details})`;
}

/** Returns what differs between before and after, shortened if it gets long. */
export function changeDetails({ kind, before, after }: Done): string {
  const rows = diffRows(before, after);
  if (kind === "node.delete") {
    const uid = rows.find(({ path }) => path === "uid")?.before;
    return `uid ${uid ?? "unknown"}, precondition uid and resourceVersion`;
  }
  const shown = rows.slice(0, MOST_ROWS).map(rowText);
  const rest = rows.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/**
 * For a kind that this release does not know, the text follows from its name: `namespace.labels.write` is `labels:
 * write`.
 */
function doneOf(kind: ChangeKind): string {
  if (isKnown(kind)) return DONE[kind];
  const { part, done } = partsOfKind(kind);
  return part === undefined ? done : `${part}: ${done}`;
}

const MOST_ROWS = 8;
const LONGEST = 120;

function rowText({ path, before, after }: DiffRow): string {
  return `${path}: ${inLine(before)} → ${inLine(after)}`;
}

function inLine(text: string | undefined): string {
  if (text === undefined || text === "") return "none";
  const line = text.replaceAll("\n", " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

function isKnown(kind: ChangeKind): kind is KnownChange {
  return Object.hasOwn(DONE, kind);
}

/** In English, like the whole log. */
const DONE: Readonly<Record<KnownChange, string>> = {
  "node.addresses.write": "addresses written",
  "node.initialise": "initialised",
  "node.labels.write": "labels written",
  "node.shutdown-taint.add": "shutdown taint added",
  "node.shutdown-taint.remove": "shutdown taint removed",
  "node.delete": "deleted",
  "node.hold": "held",
  "node.release": "released",
  "node.override": "uninitialized taint overridden",
  "node.override-end": "uninitialized taint put back",
  "service.finalizer.add": "finalizer added",
  "service.finalizer.remove": "finalizer removed",
  "service.status.write": "address published",
  "service.condition.write": "condition written",
  "service.hold": "held",
  "service.release": "released",
  "balancer.adopt": "load balancer adopted",
  "balancer.create": "load balancer created",
  "balancer.update": "load balancer changed",
  "balancer.members": "members of the load balancer changed",
  "balancer.delete": "load balancer deleted",
  "route.create": "route created",
  "route.delete": "route deleted",
  "node.network-condition.write": "condition NetworkUnavailable written",
  "node.pod-cidrs.write": "pod ranges written",
  "volume.hold": "held",
  "volume.release": "released",
  "volume.labels.write": "zone and region written",
  "volume.grow": "disk grown",
  "volume.capacity.write": "size written",
  "claim.status.write": "size of the claim written",
  "controller.pause": "paused",
  "controller.resume": "resumed",
  "guard.release": "deletions released",
  "setting.change": "setting changed",
};
