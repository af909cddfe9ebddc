import { ProviderError } from "@cloudwright/provider-api";
import { z } from "zod";
import type { Credentials, EndpointInterface, Named } from "../config/identity.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import { CATALOG_TYPES, type ServiceName, TITLES } from "./services.ts";

const endpointSchema = z.object({
  interface: z.string(),
  url: z.string(),
  region: z.string().nullish(),
  region_id: z.string().nullish(),
});
type Endpoint = z.infer<typeof endpointSchema>;

export const tokenSchema = z.object({
  token: z.object({
    expires_at: z.iso.datetime({ offset: true }),
    issued_at: z.iso.datetime({ offset: true }).optional(),
    project: z.object({ id: z.string(), name: z.string().optional() }).optional(),
    catalog: z
      .array(z.object({ type: z.string(), endpoints: z.array(endpointSchema).default([]) }))
      .default([]),
  }),
});
export type Catalog = z.infer<typeof tokenSchema>["token"]["catalog"];

/** Returns the body of `POST /v3/auth/tokens` (spec §2). An application credential implies its project, so the body names none. */
export function loginBody(credentials: Credentials): unknown {
  const method =
    credentials.method === "applicationCredential" ? "application_credential" : credentials.method;
  switch (credentials.method) {
    case "password": {
      const { user, password, scope } = credentials;
      return auth(method, { user: { ...user, password } }, scopeOf(scope));
    }
    case "applicationCredential":
      return auth(method, { ...credentials.credential, secret: credentials.secret }, {});
    case "token":
      return auth(method, { id: credentials.token }, scopeOf(credentials.scope));
    case "trust": {
      const { trustee, password, trustId } = credentials;
      const scope = { scope: { "OS-TRUST:trust": { id: trustId } } };
      return auth("password", { user: { ...trustee, password } }, scope);
    }
  }
}

function auth(method: string, proof: object, scope: object) {
  return { auth: { identity: { methods: [method], [method]: proof }, ...scope } };
}

function scopeOf(project: Named | undefined) {
  return project === undefined ? {} : { scope: { project } };
}

/** Returns the texts that must not appear anywhere. */
export function secretsOf(credentials: Credentials): readonly string[] {
  switch (credentials.method) {
    case "password":
    case "trust":
      return [credentials.password];
    case "applicationCredential":
      return [credentials.secret];
    case "token":
      return [credentials.token];
  }
}

/** Which endpoints of the catalog to use. */
export interface EndpointChoice {
  readonly interface: EndpointInterface;
  /** Undefined: any region, if there is only one. */
  readonly region: string | undefined;
}

export interface ChosenEndpoint {
  readonly url: string;
  readonly region: string | undefined;
}

/** Returns a service's endpoint. Throws ProviderError `Unsupported` if the catalog lacks it, `Invalid` if it is in several regions. */
export function endpointOf(
  catalog: Catalog,
  service: ServiceName,
  choice: EndpointChoice,
): ChosenEndpoint {
  const endpoints = CATALOG_TYPES[service]
    .map((type) =>
      catalog.filter((entry) => entry.type === type).flatMap((entry) => entry.endpoints),
    )
    .find((each) => each.length > 0);
  const fitting = (endpoints ?? []).filter((endpoint) => fits(endpoint, choice));
  const urls = new Set(fitting.map(({ url }) => url));
  const [endpoint] = fitting;
  if (endpoint === undefined) throw noEndpoint(service, choice, endpoints ?? []);
  if (urls.size > 1) throw severalRegions(service, fitting);
  return { url: endpoint.url, region: choice.region ?? regionsOf(endpoint)[0] };
}

function fits(endpoint: Endpoint, choice: EndpointChoice): boolean {
  const isInterface =
    endpoint.interface === choice.interface || endpoint.interface === `${choice.interface}URL`;
  return (
    isInterface && (choice.region === undefined || regionsOf(endpoint).includes(choice.region))
  );
}

function regionsOf({ region, region_id }: Endpoint): readonly string[] {
  return [region_id, region].filter((each) => typeof each === "string");
}

function noEndpoint(
  service: ServiceName,
  choice: EndpointChoice,
  endpoints: readonly Endpoint[],
): ProviderError {
  const { interface: kind, region } = choice;
  const there = endpoints.map((each) => inRegion(each.interface, regionsOf(each)[0]));
  const has = [...new Set(there)].join(", ");
  return new ProviderError(
    "Unsupported",
    has === ""
      ? `Keystone's catalog has no endpoint of ${TITLES[service]}; check region and os-endpoint-type in cloud.conf.`
      : `Keystone's catalog has no endpoint ${inRegion(kind, region)} of ${TITLES[service]}, but ${has}; check region and os-endpoint-type in cloud.conf.`,
    { provider: PROVIDER, operation: "choose an endpoint", target: service },
  );
}

function inRegion(kind: string, region: string | undefined): string {
  return region === undefined ? kind : `${kind} (${region})`;
}

function severalRegions(service: ServiceName, endpoints: readonly Endpoint[]): ProviderError {
  const regions = [...new Set(endpoints.flatMap((endpoint) => regionsOf(endpoint)[0] ?? []))];
  return new ProviderError(
    "Invalid",
    `Keystone's catalog has several endpoints of ${TITLES[service]} (${regions.join(", ")}); set region in cloud.conf.`,
    { provider: PROVIDER, operation: "choose an endpoint", target: service, field: "region" },
  );
}
