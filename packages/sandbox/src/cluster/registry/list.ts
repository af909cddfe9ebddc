import { z } from "zod";
import { badRequest, expired, invalid, versionTooLarge } from "../http/api-error.ts";
import type { ResourceTarget } from "../http/request-info.ts";
import { forbiddenValue, unsupportedValue } from "../rules/problem.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import { CompactedError, type Range, type Snapshot } from "../state/object-store.ts";
import type { Revision } from "../state/revision.ts";
import { asSeen, type Registry } from "./context.ts";

export interface Page {
  readonly version: number;
  readonly revisions: readonly Revision[];
  readonly continueToken?: string;
  /** How many objects follow this page; left out when a selector makes that unknown, as upstream does. */
  readonly remaining?: number;
}

export type Matcher = (revision: Revision) => boolean;

export function rangeOf(target: ResourceTarget): Range {
  const { definition, namespace } = target;
  return { storage: definition.storage, prefix: namespace === undefined ? "" : `${namespace}/` };
}

/** Returns the label and field selector of the query, and the name if the path has one. Throws ApiError 400. */
export function matcherOf(target: ResourceTarget, query: URLSearchParams): Matcher {
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(
    query.get("fieldSelector") ?? "",
    target.definition.rules.fields ?? {},
  );
  const { name } = target;
  return ({ object }) =>
    (name === undefined || object.metadata.name === name) &&
    labels(object.metadata.labels ?? {}) &&
    fields(asSeen(target.definition, object));
}

/** Returns a list or its next page, consistent across all its pages. Throws ApiError. */
export function listPage(registry: Registry, target: ResourceTarget, query: URLSearchParams): Page {
  const token = readToken(query.get("continue"));
  const snapshot = takeSnapshot(registry, target, { query, token });
  const matches = matcherOf(target, query);
  const after = token?.after;
  const candidates = snapshot.revisions.filter(
    (revision) => (after === undefined || revision.key > after) && matches(revision),
  );
  return cut(candidates, snapshot.version, query);
}

function cut(candidates: readonly Revision[], version: number, query: URLSearchParams): Page {
  const limit = Number(query.get("limit") ?? 0);
  const revisions = limit > 0 ? candidates.slice(0, limit) : candidates;
  const last = revisions.at(-1);
  if (last === undefined || revisions.length === candidates.length) return { version, revisions };
  const isSelective = query.has("labelSelector") || query.has("fieldSelector");
  return {
    version,
    revisions,
    continueToken: writeToken({ version, after: last.key }),
    ...(isSelective ? {} : { remaining: candidates.length - revisions.length }),
  };
}

interface Asked {
  readonly query: URLSearchParams;
  readonly token: Token | undefined;
}

function takeSnapshot(
  registry: Registry,
  target: ResourceTarget,
  { query, token }: Asked,
): Snapshot {
  const range = rangeOf(target);
  if (token !== undefined) return snapshotOfToken(registry, range, token);
  const wanted = readVersion(query.get("resourceVersion"));
  checkMatch(query);
  if (wanted > registry.store.version) throw versionTooLarge(wanted, registry.store.version);
  const isExact = query.get("resourceVersionMatch") === "Exact";
  return isExact ? snapshotAt(registry, range, wanted) : registry.store.list(range);
}

function snapshotAt(registry: Registry, range: Range, version: number): Snapshot {
  try {
    return registry.store.listAt(range, version);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expired(
      `The resourceVersion for the provided list is too old: ${version} (${registry.store.compactedVersion})`,
    );
  }
}

function snapshotOfToken(registry: Registry, range: Range, token: Token): Snapshot {
  if (token.version === 0) return registry.store.list(range);
  try {
    return registry.store.listAt(range, token.version);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. Start a new list without it, " +
        "or use the continue token of this answer to get the remainder from the present state: what was created, " +
        "changed or deleted in between may then be missing or shown twice.",
      writeToken({ version: 0, after: token.after }),
    );
  }
}

const MATCHES = ["Exact", "NotOlderThan"];
const LIST_OPTIONS = { group: "meta.k8s.io", kind: "ListOptions", name: "" };

function checkMatch(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const field = "resourceVersionMatch";
  const version = query.get("resourceVersion") ?? "";
  if (match === "") return;
  if (version === "") {
    throw invalid(LIST_OPTIONS, [
      forbiddenValue(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"),
    ]);
  }
  if (!MATCHES.includes(match)) {
    throw invalid(LIST_OPTIONS, [unsupportedValue(field, match, [...MATCHES, ""])]);
  }
  if (match === "Exact" && version === "0") {
    throw invalid(LIST_OPTIONS, [
      forbiddenValue(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    ]);
  }
}

/** Returns 0 for an absent version. Throws ApiError 400 for text that is not a number. */
export function readVersion(written: string | null): number {
  if (written === null || written === "") return 0;
  if (/^\d+$/.test(written)) return Number(written);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: "${written}": strconv.ParseUint: parsing "${written}": invalid syntax`,
  );
}

const tokenSchema = z.object({ version: z.number().int(), after: z.string() });
type Token = z.infer<typeof tokenSchema>;

function writeToken(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function readToken(written: string | null): Token | undefined {
  if (written === null || written === "") return undefined;
  try {
    return tokenSchema.parse(JSON.parse(Buffer.from(written, "base64url").toString("utf8")));
  } catch {
    throw badRequest(
      "invalid continue token: continue key is not valid: it is none of this server's",
    );
  }
}
