import type { Change } from "../../model/plan.ts";
import type { ObjectState } from "../../model/records/node-record.ts";

/** What a page shows of an object. */
export interface Shown {
  readonly state: ObjectState;
  /** The changes that a dry run would make. */
  readonly pending: readonly Change[] | undefined;
}

/**
 * Whether a page would show two states alike. When and by which run it was seen does not count, nor whether that run had
 * still to change something: its own record has that. Compared member by member, as that ends at the first difference and
 * makes no text: it is done for every run.
 */
export function isShownAlike(left: Shown, right: Shown): boolean {
  return isAlike(left, right);
}

const PASSING: ReadonlySet<string> = new Set([
  "at",
  "runId",
  "asOf",
  "requestId",
  "outcome",
  "resourceVersion",
]);

function isAlike(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (!Array.isArray(left) || left.length < LONG) return hasSameParts(left, right);
  const [known, was] = COMPARED.get(left) ?? [];
  if (known?.deref() === right && was !== undefined) return was;
  const isSame = hasSameParts(left, right);
  COMPARED.set(left, [new WeakRef(right), isSame]);
  return isSame;
}

/** From so many entries on a list may be shared: hundreds of load balancers have one list of members before a change, and another after it. */
const LONG = 16;
/** By a list: the one that it was compared with last, and whether they were alike. */
const COMPARED = new WeakMap<object, readonly [WeakRef<object>, boolean]>();

function hasSameParts(left: object, right: object): boolean {
  return isPartOf(left, right) && hasNoMore(right, left);
}

function isPartOf(part: object, whole: object): boolean {
  for (const [key, value] of Object.entries(part)) {
    if (!PASSING.has(key) && !isAlike(value, memberOf(whole, key))) return false;
  }
  return true;
}

function hasNoMore(object: object, other: object): boolean {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || PASSING.has(key)) continue;
    if (memberOf(other, key) === undefined) return false;
  }
  return true;
}

/** A member that is undefined counts as none, as in JSON. */
function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key)
    ? (object as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
