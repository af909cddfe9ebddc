import { pathSegment } from "../../model/values/path-segment.ts";
import type { Target } from "../client.ts";

/** Returns the path of an object, or of a collection if the target has no name, including the query. */
export function resourcePath(target: Target, query?: Readonly<Record<string, string>>): string {
  const { resource, namespace, name, subresource } = target;
  const root = resource.group === "" ? "/api" : `/apis/${resource.group}`;
  const parts = [`${root}/${resource.version}`];
  if (resource.namespaced && namespace !== undefined) {
    parts.push("namespaces", pathSegment(namespace));
  }
  parts.push(resource.plural);
  if (name !== undefined) parts.push(pathSegment(name));
  if (subresource !== undefined) parts.push(subresource);
  const search = query === undefined ? "" : new URLSearchParams(query).toString();
  return search === "" ? parts.join("/") : `${parts.join("/")}?${search}`;
}

/** Returns the name in metrics and errors, such as `nodes` or `nodes/status`. */
export function resourceName(target: Target): string {
  const { resource, subresource } = target;
  return subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
}
