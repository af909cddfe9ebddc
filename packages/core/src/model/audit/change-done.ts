import { t, worded } from "../language/text.ts";
import { objectName } from "../object-ref.ts";
import type { Change, ChangeKind, KnownChange } from "../plan.ts";
import { partsOfKind } from "./change-messages.ts";
import { type DiffRow, diffRows } from "./diff-rows.ts";

type Done = Pick<Change, "kind" | "target" | "before" | "after">;

/**
 * What a change has written, for the log: `node-3: deleted (uid 8f…, precondition uid and resourceVersion)`,
 * `shop/web: finalizer added`, `node-3: pod ranges written (podCIDRs: none → 10.0.3.0/24)`.
 */
export function changeDone(change: Done): string {
  const details = changeDetails(change);
  const done = `${objectName(change.target)}: ${doneOf(change.kind)}`;
  return details === "" ? done : `${done} (${details})`;
}

/** What differs between before and after, cut where it gets long. */
export function changeDetails({ kind, before, after }: Done): string {
  const rows = diffRows(before, after);
  if (kind === "node.delete") {
    const uid = rows.find(({ path }) => path === "uid")?.before;
    return t`uid ${uid ?? "unknown"}, precondition uid and resourceVersion`;
  }
  const shown = rows.slice(0, MOST_ROWS).map(rowText);
  const rest = rows.length - shown.length;
  return [...shown, ...(rest > 0 ? [t`${rest} more`] : [])].join(", ");
}

/** Of a kind that this release does not know, from its name: `namespace.labels.write` is `labels: write`. */
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

const DONE: Readonly<Record<KnownChange, string>> = worded({
  "node.addresses.write": () => t`addresses written`,
  "node.initialise": () => t`initialised`,
  "node.labels.write": () => t`labels written`,
  "node.shutdown-taint.add": () => t`shutdown taint added`,
  "node.shutdown-taint.remove": () => t`shutdown taint removed`,
  "node.delete": () => t`deleted`,
  "node.hold": () => t`held`,
  "node.release": () => t`released`,
  "node.override": () => t`uninitialized taint overridden`,
  "node.override-end": () => t`uninitialized taint put back`,
  "service.finalizer.add": () => t`finalizer added`,
  "service.finalizer.remove": () => t`finalizer removed`,
  "service.status.write": () => t`address published`,
  "service.condition.write": () => t`condition written`,
  "service.hold": () => t`held`,
  "service.release": () => t`released`,
  "balancer.adopt": () => t`load balancer adopted`,
  "balancer.create": () => t`load balancer created`,
  "balancer.update": () => t`load balancer changed`,
  "balancer.members": () => t`members of the load balancer changed`,
  "balancer.delete": () => t`load balancer deleted`,
  "route.create": () => t`route created`,
  "route.delete": () => t`route deleted`,
  "node.network-condition.write": () => t`condition NetworkUnavailable written`,
  "node.pod-cidrs.write": () => t`pod ranges written`,
  "volume.hold": () => t`held`,
  "volume.release": () => t`released`,
  "volume.labels.write": () => t`zone and region written`,
  "volume.grow": () => t`disk grown`,
  "volume.capacity.write": () => t`size written`,
  "claim.status.write": () => t`size of the claim written`,
  "controller.pause": () => t`paused`,
  "controller.resume": () => t`resumed`,
  "guard.release": () => t`deletions released`,
  "setting.change": () => t`setting changed`,
});
