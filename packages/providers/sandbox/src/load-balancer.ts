import type { CallContext } from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import { everyPage } from "./calls.ts";
import type { CloudClient } from "./cloud-client.ts";

const listenerSchema = z.object({
  name: z.string(),
  protocol: z.enum(["TCP", "UDP"]),
  port: z.number(),
  nodePort: z.number(),
});

export const loadBalancerSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  state: z.enum(["provisioning", "active", "updating", "deleting", "error"]),
  errorMessage: z.string().exactOptional(),
  /** "" if it has none. */
  address: z.string(),
  addressV6: z.string().exactOptional(),
  hostname: z.string().exactOptional(),
  ipMode: z.enum(["VIP", "Proxy"]).exactOptional(),
  ports: z
    .array(z.object({ port: z.number(), protocol: z.string(), error: z.string().exactOptional() }))
    .exactOptional(),
  requestedAddress: z.string().exactOptional(),
  tags: z.record(z.string(), z.string()),
  listeners: z.array(listenerSchema),
  /** Ids of instances. */
  members: z.array(z.string()),
  /** Empty: everybody. */
  sourceRanges: z.array(z.string()),
  healthCheck: z.object({
    protocol: z.string(),
    port: z.number().exactOptional(),
    path: z.string().exactOptional(),
  }),
  proxyProtocol: z.boolean(),
  internal: z.boolean(),
  affinity: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("none") }),
    z.object({ kind: z.literal("clientIP"), timeoutSeconds: z.number() }),
  ]),
  families: z.array(z.enum(["IPv4", "IPv6"])),
  createdAt: z.string(),
});
/** A load balancer as the sandbox cloud reports it (spec/70, "Resources"). */
export type LoadBalancer = Readonly<z.infer<typeof loadBalancerSchema>>;

export const firewallRuleSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  tags: z.record(z.string(), z.string()),
  sourceRanges: z.array(z.string()),
  createdAt: z.string(),
});
/** The rule about who may reach a load balancer: a separate resource, which remains unless it is deleted as well. */
export type FirewallRule = Readonly<z.infer<typeof firewallRuleSchema>>;

export const observedSchema = z.object({
  /** The load balancers with the owner's mark. */
  balancers: z.array(loadBalancerSchema),
  /**
   * Load balancers without the mark that have the owner's name, or an address that its Service publishes; looked for only while
   * none has the mark.
   */
  candidates: z.array(loadBalancerSchema),
  /**
   * The rules with the owner's mark; absent if they were not looked for, as an open load balancer has none. A rule exists only
   * while its load balancer is restricted, or after that was deleted without it.
   */
  rules: z.array(firewallRuleSchema).exactOptional(),
});
/** What exists for one owner. */
export type ObservedLoadBalancer = Readonly<z.infer<typeof observedSchema>>;

/** Reports whether access is restricted, so that there may be a rule. */
export function isRestricted({ sourceRanges, families }: Reach): boolean {
  if (sourceRanges.length === 0 || sourceRanges.includes("0.0.0.0/0")) return false;
  return !(sourceRanges.includes("::/0") && !families.includes("IPv4"));
}

interface Reach {
  readonly sourceRanges: readonly string[];
  readonly families: readonly string[];
}

/** Returns its IPs and hostname. */
export function placesOf({ address, addressV6, hostname }: Published): readonly string[] {
  return [hostname ?? "", address, addressV6 ?? ""].filter((place) => place !== "");
}

type Published = Pick<LoadBalancer, "address" | "addressV6" | "hostname">;

/** Reports whether the cloud currently refuses to change it. */
export function isBusy({ state }: Pick<LoadBalancer, "state">): boolean {
  return state === "provisioning" || state === "updating" || state === "deleting";
}

/** The filter of a listing: items with all of these tags, or with one of the names. */
interface TaggedFilter {
  readonly tags?: Readonly<Record<string, string>>;
  readonly names?: readonly string[];
  /** For the records: `lb of shop/web`. */
  readonly target: string;
}

/** The reads of `/v1/load-balancers` and `/v1/firewall-rules` (spec/70). All throw ProviderError and read every page. */
export interface LoadBalancerReads {
  balancers(filter: TaggedFilter, context: CallContext): Promise<readonly LoadBalancer[]>;
  rules(filter: TaggedFilter, context: CallContext): Promise<readonly FirewallRule[]>;
  balancer(id: string, context: CallContext): Promise<LoadBalancer>;
}

const PAGE_SIZE = 500;

export function createLoadBalancerReads(client: CloudClient): LoadBalancerReads {
  return {
    balancers: (filter, context) =>
      listAll({ client, path: "/v1/load-balancers", item: loadBalancerSchema }, filter, context),
    rules: (filter, context) =>
      listAll({ client, path: "/v1/firewall-rules", item: firewallRuleSchema }, filter, context),
    balancer: async (id, context) => {
      const { value } = await client.read(context, {
        operation: "GET /v1/load-balancers/{id}",
        target: id,
        path: `/v1/load-balancers/${pathSegment(id)}`,
        shape: loadBalancerSchema,
      });
      return value;
    },
  };
}

interface Collection<Item extends z.ZodType> {
  readonly client: CloudClient;
  readonly path: string;
  readonly item: Item;
}

async function listAll<Item extends z.ZodType>(
  { client, path, item }: Collection<Item>,
  filter: TaggedFilter,
  context: CallContext,
): Promise<readonly z.output<Item>[]> {
  const shape = z.object({ items: z.array(item), next: z.string().min(1).nullish() });
  const call = { operation: `GET ${path}`, target: filter.target };
  const pages = await everyPage({ client, ...call }, (cursor) =>
    client.read(context, { ...call, path: `${path}?${queryOf(filter, cursor)}`, shape }),
  );
  return pages.flatMap(({ items }) => items);
}

function queryOf({ tags, names }: TaggedFilter, cursor: string | undefined): string {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const [key, value] of Object.entries(tags ?? {})) query.append("tag", `${key}=${value}`);
  for (const name of names ?? []) query.append("name", name);
  if (cursor !== undefined) query.append("cursor", cursor);
  return query.toString();
}
