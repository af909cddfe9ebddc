import type { CallContext, Quota, QuotaSource } from "@cloudwright/provider-api";
import { z } from "zod";
import { type OpenStackClient, path } from "../api/client.ts";
import { type ServiceName, TITLES } from "../api/services.ts";
import type { OpenStackConfig } from "../config/config.ts";

export interface QuotasOptions {
  readonly client: OpenStackClient;
  readonly config: Pick<OpenStackConfig, "loadBalancer">;
}

/** Creates the project's quotas for the resources of a cluster (spec/providers/openstack §4). */
export function createQuotas({ client, config }: QuotasOptions): readonly QuotaSource[] {
  const source = (service: ServiceName, list: QuotaSource["list"]): QuotaSource => ({
    service: TITLES[service],
    list,
  });
  return [
    ...(config.loadBalancer.enabled
      ? [source("load-balancer", (context) => octaviaQuotas(client, context))]
      : []),
    source("network", (context) => neutronQuotas(client, context)),
    source("compute", (context) => novaQuotas(client, context)),
  ];
}

/** Null and -1 mean no limit. */
const limitSchema = z
  .number()
  .nullish()
  .transform((limit) => (typeof limit === "number" && limit >= 0 ? limit : undefined));

const octaviaSchema = z.object({
  quota: z.object({
    load_balancer: limitSchema,
    listener: limitSchema,
    pool: limitSchema,
    member: limitSchema,
    health_monitor: limitSchema,
  }),
});
const countedSchema = z.object({ members: z.array(z.unknown()).nullish() });

/** Octavia's names of quotas, with the listing of each resource: Octavia does not report usage. Members are listed with their pools. */
const OCTAVIA = [
  { key: "load_balancer", resource: "load balancers", list: "loadbalancers" },
  { key: "listener", resource: "listeners", list: "listeners" },
  { key: "pool", resource: "pools", list: "pools" },
  { key: "member", resource: "members", list: "pools" },
  { key: "health_monitor", resource: "health monitors", list: "healthmonitors" },
] as const;

/** Counts only resources with a limit. */
async function octaviaQuotas(
  client: OpenStackClient,
  context: CallContext,
): Promise<readonly Quota[]> {
  const project = await client.project(context);
  const { value } = await client.request({
    ...{ service: "load-balancer", path: path`/quotas/${project.id}`, schema: octaviaSchema },
    ...{ operation: "loadbalancer_quota_get", target: project.id, context },
  });
  const limited = OCTAVIA.filter(({ key }) => value.quota[key] !== undefined);
  const counts = new Map<string, Counts>();
  for (const list of new Set(limited.map((each) => each.list))) {
    counts.set(list, await countIn(client, { list, project: project.id }, context));
  }
  return OCTAVIA.map(({ key, resource, list }) => {
    const counted = counts.get(list);
    return {
      resource,
      limit: value.quota[key],
      used: key === "member" ? counted?.members : counted?.items,
    };
  });
}

interface Counts {
  readonly items: number;
  readonly members: number;
}

async function countIn(
  client: OpenStackClient,
  { list, project }: { readonly list: string; readonly project: string },
  context: CallContext,
): Promise<Counts> {
  const { items } = await client.listAll({
    ...{ service: "load-balancer", path: `/${list}`, collection: list, item: countedSchema },
    query: { project_id: project, fields: list === "pools" ? ["id", "members"] : ["id"] },
    ...{ operation: "loadbalancer_quota_count", target: list, context },
  });
  const members = items.reduce((sum, each) => sum + (each.members?.length ?? 0), 0);
  return { items: items.length, members };
}

const detailSchema = z
  .object({
    limit: limitSchema,
    used: z.number().nullish(),
    /** The reservations of pending requests; some releases use this name for a list of them. */
    reserved: z.unknown(),
  })
  .nullish();
const neutronSchema = z.object({
  quota: z.object({
    floatingip: detailSchema,
    security_group: detailSchema,
    security_group_rule: detailSchema,
    port: detailSchema,
  }),
});

const NEUTRON = [
  { key: "floatingip", resource: "floating IPs" },
  { key: "security_group", resource: "security groups" },
  { key: "security_group_rule", resource: "security group rules" },
  { key: "port", resource: "ports" },
] as const;

async function neutronQuotas(
  client: OpenStackClient,
  context: CallContext,
): Promise<readonly Quota[]> {
  const { id } = await client.project(context);
  const { value } = await client.request({
    ...{ service: "network", path: `${path`/quotas/${id}`}/details`, schema: neutronSchema },
    ...{ operation: "quota_get", target: id, context },
  });
  return NEUTRON.flatMap(({ key, resource }) => {
    const detail = value.quota[key];
    if (detail === undefined || detail === null) return [];
    const { limit, used, reserved } = detail;
    const held = typeof reserved === "number" ? reserved : 0;
    return [{ resource, limit, used: typeof used === "number" ? used + held : undefined }];
  });
}

const novaSchema = z.object({
  limits: z.object({
    absolute: z.object({
      maxTotalInstances: limitSchema,
      totalInstancesUsed: z.number().nullish(),
      maxTotalCores: limitSchema,
      totalCoresUsed: z.number().nullish(),
      maxTotalRAMSize: limitSchema,
      totalRAMUsed: z.number().nullish(),
    }),
  }),
});

const NOVA = [
  { resource: "servers", limit: "maxTotalInstances", used: "totalInstancesUsed" },
  { resource: "cores", limit: "maxTotalCores", used: "totalCoresUsed" },
  { resource: "MiB of memory", limit: "maxTotalRAMSize", used: "totalRAMUsed" },
] as const;

async function novaQuotas(
  client: OpenStackClient,
  context: CallContext,
): Promise<readonly Quota[]> {
  const { value } = await client.request({
    ...{ service: "compute", path: "/limits", schema: novaSchema },
    ...{ operation: "limits_get", target: "all", context },
  });
  const { absolute } = value.limits;
  return NOVA.map(({ resource, limit, used }) => ({
    resource,
    limit: absolute[limit],
    used: absolute[used] ?? undefined,
  }));
}
