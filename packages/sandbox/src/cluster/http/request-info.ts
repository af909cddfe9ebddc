import type { ResourceDefinition } from "../resources/definition.ts";

/** The target of a request, as authorisation sees it, as far as its path says. */
export interface RequestInfo {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the HTTP method for other paths. */
  readonly verb: string;
  readonly path: string;
  readonly resource?: ResourcePath;
  /** The one object of a list or watch, by `fieldSelector=metadata.name=NAME`: roles may grant it by name. */
  readonly selectedName?: string;
}

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** The target of a resource handler: the path resolved to its definition. */
export interface ResourceTarget {
  readonly definition: ResourceDefinition;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export function readRequestInfo(method: string, url: URL): RequestInfo {
  const path = url.pathname;
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  const resource = readResource(parts);
  if (resource === undefined) return { verb: method.toLowerCase(), path };
  const { rest, legacyWatch } = resource;
  const verb = verbOf(method, { url, named: rest.name !== undefined, legacyWatch });
  return { verb, path, resource: rest, ...(SELECTING.has(verb) ? selectedName(url) : {}) };
}

const SELECTING: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

function selectedName(url: URL): Pick<RequestInfo, "selectedName"> {
  const terms = (url.searchParams.get("fieldSelector") ?? "").split(",");
  const name = terms.flatMap((term) => /^metadata\.name==?(.+)$/.exec(term)?.[1] ?? [])[0];
  return name === undefined ? {} : { selectedName: name };
}

interface ReadPath {
  readonly rest: ResourcePath;
  /** `/api/v1/watch/…`, the old spelling of `?watch=true`. */
  readonly legacyWatch: boolean;
}

function readResource(parts: readonly string[]): ReadPath | undefined {
  const [root, first = "", second = ""] = parts;
  if (root === "api" && parts.length > 2)
    return readBelow({ group: "", version: first }, parts.slice(2));
  if (root === "apis" && parts.length > 3) {
    return readBelow({ group: first, version: second }, parts.slice(3));
  }
  return undefined;
}

function readBelow(
  root: { readonly group: string; readonly version: string },
  below: readonly string[],
): ReadPath {
  const legacyWatch = below[0] === "watch" && below.length > 1;
  const parts = legacyWatch ? below.slice(1) : below;
  const inNamespace = parts[0] === "namespaces" && parts.length > 2 && !isOwnSubresource(parts);
  const [plural = "", name, subresource] = inNamespace ? parts.slice(2) : parts;
  return {
    legacyWatch,
    rest: {
      ...root,
      plural,
      ...(inNamespace ? { namespace: parts[1] ?? "" } : {}),
      ...(name === undefined ? {} : { name }),
      ...(subresource === undefined ? {} : { subresource }),
    },
  };
}

/** `namespaces/NAME/status` is a namespace's own subresource, not a resource called "status" in it. */
function isOwnSubresource(parts: readonly string[]): boolean {
  return parts.length === 3 && (parts[2] === "status" || parts[2] === "finalize");
}

interface VerbContext {
  readonly url: URL;
  readonly named: boolean;
  readonly legacyWatch: boolean;
}

function verbOf(method: string, { url, named, legacyWatch }: VerbContext): string {
  switch (method) {
    case "GET":
    case "HEAD":
      return readVerb(url, named, legacyWatch);
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return named ? "delete" : "deletecollection";
    default:
      return method.toLowerCase();
  }
}

function readVerb(url: URL, named: boolean, legacyWatch: boolean): string {
  const watch = url.searchParams.get("watch");
  if (legacyWatch || (!named && (watch === "true" || watch === "1"))) return "watch";
  return named ? "get" : "list";
}
