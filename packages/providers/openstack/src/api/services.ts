/** The services of a cloud that are asked, by what they are called here. */
export type ServiceName =
  | "identity"
  | "compute"
  | "network"
  | "load-balancer"
  | "key-manager"
  | "block-storage";

/** What the operator calls them. */
export const TITLES: Readonly<Record<ServiceName, string>> = {
  identity: "Keystone",
  compute: "Nova",
  network: "Neutron",
  "load-balancer": "Octavia",
  "key-manager": "Barbican",
  "block-storage": "Cinder",
};

/** Their types in the catalog, the preferred first. */
export const CATALOG_TYPES: Readonly<Record<ServiceName, readonly string[]>> = {
  identity: ["identity"],
  compute: ["compute"],
  network: ["network"],
  "load-balancer": ["load-balancer"],
  "key-manager": ["key-manager"],
  "block-storage": ["block-storage", "volumev3"],
};

/** Where a service's paths begin below its endpoint, and which end of an endpoint is a version of the same. Source: spec §2. */
const BASES: Readonly<Record<ServiceName, { readonly version: RegExp; readonly base: string }>> = {
  identity: { version: /\/v3$/, base: "/v3" },
  compute: { version: /$^/, base: "" },
  network: { version: /\/v2\.0$/, base: "/v2.0" },
  "load-balancer": { version: /\/v2(\.0)?$/, base: "/v2.0/lbaas" },
  "key-manager": { version: /\/v1$/, base: "/v1" },
  "block-storage": { version: /$^/, base: "" },
};

/** The URL that a service's paths are appended to. */
export function baseOf(service: ServiceName, endpoint: string): string {
  const { version, base } = BASES[service];
  return `${trimmed(endpoint).replace(version, "")}${base}`;
}

/** Where a service lists its versions: of Nova its own version, with the microversions. */
export function versionsUrlOf(service: ServiceName, endpoint: string): string {
  const url = trimmed(endpoint);
  const [versioned] = /^.*\/v\d+(\.\d+)?(?=\/|$)/.exec(url) ?? [];
  if (service === "compute" || service === "block-storage") return `${versioned ?? url}/`;
  return `${url.replace(BASES[service].version, "")}/`;
}

function trimmed(endpoint: string): string {
  return endpoint.replace(/\/+$/, "");
}
