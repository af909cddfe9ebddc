import type { ApiClient, AskOptions } from "./api-client.ts";

export const MERGE = "application/merge-patch+json";
export const STRATEGIC = "application/strategic-merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";

/** One request that is sent to both servers. */
export interface Step extends AskOptions {
  readonly does: string;
  readonly method: string;
  readonly path: string;
  /** What may differ: `message` for words that name upstream's internals, `body` for contents that differ by server. */
  readonly apart?: "message" | "body";
}

/** Returns a server's answer in a form that is equal for both when they mean the same. */
export async function verdict(client: ApiClient, step: Step): Promise<unknown> {
  const { status, text, headers } = await client.ask(step.method, step.path, step);
  const body = parse(text);
  const warning = headers.warning;
  const head = { status, ...(warning === undefined ? {} : { warning }) };
  if (step.apart === "body") return { status };
  if (typeof body !== "object" || body === null || !("reason" in body)) {
    return { ...head, body: comparable(body) };
  }
  return step.apart === "message"
    ? { status, reason: body.reason }
    : { ...head, body: comparable(body) };
}

type Request = Omit<Step, "does">;

/** Returns the steps in order, named by what they do. */
export function stepsOf(requests: Readonly<Record<string, Request>>): readonly Step[] {
  return Object.entries(requests).map(([does, request]) => ({ does, ...request }));
}

/** Allows different wording. */
export function inOtherWords(request: Request): Request {
  return { ...request, apart: "message" };
}

/** Compares only the status, as the contents differ by server. */
export function statusAlone(request: Request): Request {
  return { ...request, apart: "body" };
}

export function get(path: string) {
  return { method: "GET", path };
}

export function removeAt(path: string) {
  return { method: "DELETE", path };
}

export function create(path: string, body: unknown) {
  return { method: "POST", path, body };
}

export function put(path: string, body: unknown) {
  return { method: "PUT", path, body };
}

export function patch(path: string, contentType: string, body: unknown) {
  return { method: "PATCH", path, contentType, body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

const OWN = [
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "lastPhaseTransitionTime",
  "managedFields",
];

/** Removes values that each server generates; uids, versions and allocated values are blanked. */
function comparable(value: unknown): unknown {
  if (typeof value === "string") return blanked(value);
  if (typeof value === "number") return isAllocatedPort(value) ? "PORT" : value;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) =>
    OWN.includes(key) ? [key, typeof member] : [key, comparable(member)],
  );
  return Object.fromEntries(members.filter(([key]) => key !== "managedFields"));
}

/** Lower ports are those that steps request by number. */
function isAllocatedPort(value: number): boolean {
  return value >= 30_086 && value <= 32_767;
}

/** The first 256 addresses of a range are those that steps request. */
export function blanked(sentence: string): string {
  return sentence
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/in record \(\d+\)/g, "in record (VERSION)")
    .replaceAll(/10\.96\.[1-9]\d*\.\d+/g, "ADDRESS")
    .replaceAll(/\b3\d{4}\b/g, (number) => (isAllocatedPort(Number(number)) ? "PORT" : number))
    .replaceAll(/fd00:96::([0-9a-f]{1,4}:[0-9a-f]{1,4}|[0-9a-f]{3,4})/g, "ADDRESS");
}
