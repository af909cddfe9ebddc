/** The cloud's services that we call, under our names. */
export type ServiceName =
  | "identity"
  | "compute"
  | "network"
  | "load-balancer"
  | "key-manager"
  | "block-storage";

/** Their names for operators. */
export const TITLES: Readonly<Record<ServiceName, string>> = {
  identity: "Keystone",
  compute: "Nova",
  network: "Neutron",
  "load-balancer": "Octavia",
  "key-manager": "Barbican",
  "block-storage": "Cinder",
};

/** Their types in the catalog, in order of preference. */
export const CATALOG_TYPES: Readonly<Record<ServiceName, readonly string[]>> = {
  identity: ["identity"],
  compute: ["compute"],
  network: ["network"],
  "load-balancer": ["load-balancer"],
  "key-manager": ["key-manager"],
  "block-storage": ["block-storage", "volumev3"],
};

/** Where a service's paths begin below its endpoint, and which suffix of an endpoint is already a version. Source: spec §2. */
const BASES: Readonly<Record<ServiceName, { readonly version: RegExp; readonly base: string }>> = {
  identity: { version: /\/v3$/, base: "/v3" },
  compute: { version: /$^/, base: "" },
  network: { version: /\/v2\.0$/, base: "/v2.0" },
  "load-balancer": { version: /\/v2(\.0)?$/, base: "/v2.0/lbaas" },
  "key-manager": { version: /\/v1$/, base: "/v1" },
  "block-storage": { version: /$^/, base: "" },
};

/** Returns the URL to which a service's paths are appended. */
export function baseOf(service: ServiceName, endpoint: string): string {
  const { version, base } = BASES[service];
  return `${trimmed(endpoint).replace(version, "")}${base}`;
}

/** Returns where a service lists its versions: for Nova, the version itself, with the microversions. */
export function versionsUrlOf(service: ServiceName, endpoint: string): string {
  const url = trimmed(endpoint);
  const [versioned] = /^.*\/v\d+(\.\d+)?(?=\/|$)/.exec(url) ?? [];
  if (service === "compute" || service === "block-storage") return `${versioned ?? url}/`;
  return `${url.replace(BASES[service].version, "")}/`;
}

function trimmed(endpoint: string): string {
  return endpoint.replace(/\/+$/, "");
}
