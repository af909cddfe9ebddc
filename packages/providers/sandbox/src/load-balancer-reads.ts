import type { CallContext } from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import type { CloudClient } from "./cloud-client.ts";
import { everyPage } from "./every-page.ts";
import {
  type FirewallRule,
  firewallRuleSchema,
  type LoadBalancer,
  loadBalancerSchema,
} from "./load-balancer.ts";

/** What a listing is asked for: what carries all these tags, or has one of the names. */
export interface TaggedFilter {
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
