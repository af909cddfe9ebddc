import type { Change } from "../../model/plan.ts";
import type { ObjectState } from "../../model/records/node-record.ts";

/** What a page shows of an object. */
export interface Shown {
  readonly state: ObjectState;
  /** The changes that a dry run would make. */
  readonly pending: readonly Change[] | undefined;
}

/**
 * Reports whether a page would show two states the same way. When and by which run the state was observed does not count,
 * nor whether that run still had changes to make, as its own record has that. It compares member by member, because that
 * stops at the first difference and builds no text: this happens in every run.
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

/**
 * A list of this many entries may be shared: hundreds of load balancers have the same list of members before a change, and another one
 * after it.
 */
const LONG = 16;
/** Maps a list to the one that it was compared with last, and whether they were the same. */
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

/** An undefined member counts as absent, as in JSON. */
function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key)
    ? (object as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
