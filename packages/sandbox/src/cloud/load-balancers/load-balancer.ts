import { z } from "zod";
import { cidrSchema } from "../resources/cidr.ts";
import { tagsSchema } from "../resources/tags.ts";

const LOAD_BALANCER_STATES = ["provisioning", "active", "updating", "deleting", "error"] as const;

const portSchema = z.number().int().min(1).max(65_535);
const protocolSchema = z.enum(["TCP", "UDP"], {
  error: "it must be TCP or UDP; SCTP is not offered by this cloud",
});

const listenerSchema = z.strictObject({
  /** "" for a listener without a name. */
  name: z
    .string()
    .regex(/^[a-z0-9-]{0,63}$/, "it must have at most 63 of a-z, 0-9 and -")
    .default(""),
  protocol: protocolSchema,
  port: portSchema,
  nodePort: portSchema,
});

const healthCheckSchema = z
  .strictObject({
    protocol: z.enum(["TCP", "HTTP", "HTTPS"]),
    port: portSchema.exactOptional(),
    path: z.string().startsWith("/").max(1_024).exactOptional(),
  })
  .refine(({ protocol, path }) => path === undefined || protocol !== "TCP", {
    path: ["path"],
    error: "a path goes with the protocol HTTP or HTTPS",
  });

const affinitySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("clientIP"), timeoutSeconds: z.number().int().min(1) }),
]);

const familiesSchema = z
  .array(z.enum(["IPv4", "IPv6"]))
  .min(1)
  .refine((families) => new Set(families).size === families.length, {
    error: "a family is named twice",
  });

const ipSchema = z.union([z.ipv4(), z.ipv6()], { error: "it must be an IP address" });

export const loadBalancerNameSchema = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, "it must have 1 to 63 of a-z, 0-9 and -");

const fields = {
  tags: tagsSchema,
  listeners: z.array(listenerSchema).superRefine(refuseTwoOnOnePort),
  /** Ids of instances. */
  members: z.array(z.string()),
  /** Who may connect; empty means everybody. */
  sourceRanges: z.array(cidrSchema),
  healthCheck: healthCheckSchema,
  proxyProtocol: z.boolean(),
  affinity: affinitySchema,
  families: familiesSchema,
};

function refuseTwoOnOnePort(
  listeners: readonly z.infer<typeof listenerSchema>[],
  context: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { protocol, port }] of listeners.entries()) {
    if (seen.has(`${protocol} ${port}`)) {
      context.issues.push({
        code: "custom",
        path: [index, "port"],
        message: `another listener has ${protocol} ${port} already`,
        input: listeners,
      });
    }
    seen.add(`${protocol} ${port}`);
  }
}

/** Body of `POST /v1/load-balancers`. */
export const loadBalancerCreationSchema = z.strictObject({
  name: loadBalancerNameSchema,
  tags: fields.tags.default({}),
  listeners: fields.listeners.default([]),
  members: fields.members.default([]),
  sourceRanges: fields.sourceRanges.default([]),
  healthCheck: fields.healthCheck.default({ protocol: "TCP" }),
  proxyProtocol: fields.proxyProtocol.default(false),
  internal: z.boolean().default(false),
  affinity: fields.affinity.default({ kind: "none" }),
  families: fields.families.default(["IPv4"]),
  requestedAddress: ipSchema.exactOptional(),
});
export type LoadBalancerCreation = z.infer<typeof loadBalancerCreationSchema>;

/** The fields of an edit; each replaces the old one completely. */
const edits = {
  tags: fields.tags.exactOptional(),
  listeners: fields.listeners.exactOptional(),
  members: fields.members.exactOptional(),
  sourceRanges: fields.sourceRanges.exactOptional(),
  healthCheck: fields.healthCheck.exactOptional(),
  proxyProtocol: fields.proxyProtocol.exactOptional(),
  affinity: fields.affinity.exactOptional(),
  families: fields.families.exactOptional(),
};

const fixed = z.undefined({ error: "it is fixed when the load balancer is made" }).optional();

/** Body of `PATCH /v1/load-balancers/{id}`; `requestedAddress: null` drops the request and keeps the address. */
export const loadBalancerEditSchema = z.strictObject({
  ...edits,
  name: fixed,
  internal: fixed,
  requestedAddress: ipSchema.nullable().exactOptional(),
});
export type LoadBalancerEdit = z.infer<typeof loadBalancerEditSchema>;

/** The address that a load balancer reports instead of its real one: `PUT /admin/next-load-balancer`. */
export const overriddenStatusSchema = z.strictObject({
  address: ipSchema.exactOptional(),
  /** Reported instead of all addresses. */
  hostname: z.string().min(1).max(253).exactOptional(),
  ipMode: z.enum(["VIP", "Proxy"]).exactOptional(),
  ports: z
    .array(
      z.strictObject({
        port: portSchema,
        protocol: z.enum(["TCP", "UDP", "SCTP"]),
        error: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  /** Reports neither address nor host name. */
  nil: z.literal(true).exactOptional(),
});
export type OverriddenStatus = z.infer<typeof overriddenStatusSchema>;

/** Body of `PATCH /admin/load-balancers/{id}`: what a user may change. `null` removes a field. */
export const loadBalancerOverrideSchema = z.strictObject({
  ...edits,
  name: loadBalancerNameSchema.exactOptional(),
  internal: z.boolean().exactOptional(),
  state: z.enum(LOAD_BALANCER_STATES).exactOptional(),
  errorMessage: z.string().nullable().exactOptional(),
  address: overriddenStatusSchema.shape.address.nullable(),
  hostname: overriddenStatusSchema.shape.hostname.nullable(),
  ipMode: overriddenStatusSchema.shape.ipMode.nullable(),
  ports: overriddenStatusSchema.shape.ports.nullable(),
});
export type LoadBalancerOverride = z.infer<typeof loadBalancerOverrideSchema>;

/** A load balancer as the journal stores it, with the fields that only the cloud itself knows. */
export const storedLoadBalancerSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(LOAD_BALANCER_STATES),
  errorMessage: z.string().exactOptional(),
  /** Its own addresses, assigned from the start but shown only once it was active. */
  own: z.object({ v4: z.string().exactOptional(), v6: z.string().exactOptional() }),
  requestedAddress: z.string().exactOptional(),
  ...fields,
  internal: z.boolean(),
  createdAt: z.string(),
  told: overriddenStatusSchema.exactOptional(),
  /** When the change in progress ends, milliseconds since the epoch. */
  dueAt: z.number().exactOptional(),
  /** The `Idempotency-Key` header of its creation, with the hash of that request's body. */
  creation: z.object({ key: z.string(), body: z.string(), at: z.number() }).exactOptional(),
});
export type StoredLoadBalancer = Readonly<z.infer<typeof storedLoadBalancerSchema>>;
