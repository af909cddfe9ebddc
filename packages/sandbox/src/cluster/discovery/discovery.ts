import type { Call } from "../http/call.ts";
import { aggregatedDiscoveryType } from "../http/negotiate.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import { type ServedGroup, type ServedResource, servedGroups } from "./groups.ts";

/** Answers `/api`, `/apis` and below, in the old and the aggregated form; returns undefined for any other path. */
export function answerDiscovery(call: Call): Reply | undefined {
  const path = call.url.pathname.replace(/\/$/, "");
  const groups = servedGroups();
  const named = groups.filter(({ group }) => group !== "");
  if (path === "/api") return coreRoot(call, groups);
  if (path === "/apis") return aggregated(call, named) ?? jsonReply(200, groupList(named));
  const single = named.find(({ group }) => path === `/apis/${group}`);
  if (single !== undefined)
    return jsonReply(200, { kind: "APIGroup", apiVersion: "v1", ...apiGroup(single) });
  const listed = groups.find((served) => path === rootOf(served));
  return listed === undefined ? undefined : jsonReply(200, resourceList(listed));
}

function rootOf({ group, version }: ServedGroup): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

function coreRoot(call: Call, groups: readonly ServedGroup[]): Reply {
  const core = groups.filter(({ group }) => group === "");
  const addresses = [{ clientCIDR: "0.0.0.0/0", serverAddress: call.host }];
  return (
    aggregated(call, core) ??
    jsonReply(200, {
      kind: "APIVersions",
      versions: core.map(({ version }) => version),
      serverAddressByClientCIDRs: addresses,
    })
  );
}

function groupList(groups: readonly ServedGroup[]): object {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(apiGroup) };
}

function apiGroup({ group, version }: ServedGroup): object {
  const served = { groupVersion: `${group}/${version}`, version };
  return { name: group, versions: [served], preferredVersion: served };
}

function resourceList({ group, version, resources }: ServedGroup): object {
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: resources.flatMap((resource) => [listed(resource), ...listedBelow(resource)]),
  };
}

function listed(resource: ServedResource): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

function listedBelow({ plural, namespaced, subresources }: ServedResource): readonly object[] {
  return subresources.map(({ name, kind, verbs }) => ({
    name: `${plural}/${name}`,
    singularName: "",
    namespaced,
    kind,
    verbs,
  }));
}

function aggregated(call: Call, groups: readonly ServedGroup[]): Reply | undefined {
  const contentType = aggregatedDiscoveryType(call.headers.accept);
  if (contentType === undefined) return undefined;
  const list = {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(aggregatedGroup),
  };
  return { status: 200, contentType, body: JSON.stringify(list) };
}

function aggregatedGroup(served: ServedGroup): object {
  const resources = served.resources.map((resource) => aggregatedResource(served, resource));
  return {
    metadata: served.group === "" ? {} : { name: served.group },
    versions: [{ version: served.version, resources, freshness: "Current" }],
  };
}

function aggregatedResource({ group, version }: ServedGroup, resource: ServedResource): object {
  const { plural, singular, kind, namespaced, verbs, shortNames, categories, subresources } =
    resource;
  const below = subresources.map((subresource) => ({
    subresource: subresource.name,
    responseKind: { group, version, kind: subresource.kind },
    verbs: subresource.verbs,
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(below.length === 0 ? {} : { subresources: below }),
  };
}
