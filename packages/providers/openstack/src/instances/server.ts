import { z } from "zod";

/** A server in Nova; everything that an instance can do without is optional. Source: spec/providers/openstack §3.2. */
export const serverSchema = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  status: z.string().nullish(),
  accessIPv4: z.string().nullish(),
  accessIPv6: z.string().nullish(),
  addresses: z
    .record(
      z.string(),
      z.array(z.object({ addr: z.string(), "OS-EXT-IPS:type": z.string().nullish() })),
    )
    .nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  /** Up to microversion 2.46 a reference by id, later the flavor as it was when the server was created. */
  flavor: z.object({ id: z.string().nullish(), original_name: z.string().nullish() }).nullish(),
  "OS-EXT-AZ:availability_zone": z.string().nullish(),
  hostId: z.string().nullish(),
});
export type Server = Readonly<z.infer<typeof serverSchema>>;

/** A Neutron port, with the fields in `PORT_FIELDS`. */
export const portSchema = z.object({
  id: z.string().min(1),
  device_id: z.string().nullish(),
  status: z.string().nullish(),
  network_id: z.string().nullish(),
  fixed_ips: z.array(z.object({ ip_address: z.string() })).default([]),
  trunk_details: z
    .object({ sub_ports: z.array(z.object({ port_id: z.string() })).default([]) })
    .nullish(),
});
export type Port = Readonly<z.infer<typeof portSchema>>;

export const PORT_FIELDS = Object.keys(portSchema.shape);

export const networkSchema = z.object({ id: z.string(), name: z.string() });
export const flavorSchema = z.object({ id: z.string(), name: z.string() });

/** A parsed provider ID. */
export type ParsedId =
  | { readonly kind: "server"; readonly id: string; readonly region: string | undefined }
  | { readonly kind: "foreign" }
  | { readonly kind: "malformed" };

export const EXPECTED_PROVIDER_ID = "openstack:///SERVER-UUID or openstack://REGION/SERVER-UUID";

const PROVIDER_ID = /^openstack:\/\/([^/]*)\/([^/]+)$/;
/** Nothing else can be a server's id: Nova would answer "not found", and the node would be deleted. */
const SERVER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses a provider ID with or without a region; without a scheme, ours is assumed, as upstream does. */
export function parseProviderId(providerId: string): ParsedId {
  const whole = providerId.includes("://") ? providerId : `openstack://${providerId}`;
  if (!whole.startsWith("openstack://")) return { kind: "foreign" };
  const [, region = "", id = ""] = PROVIDER_ID.exec(whole) ?? [];
  if (!SERVER_ID.test(id)) return { kind: "malformed" };
  return { kind: "server", id: id.toLowerCase(), region: region === "" ? undefined : region };
}

export function providerIdOf(id: string, region: string | undefined): string {
  return `openstack://${region ?? ""}/${id}`;
}
