import { ADDRESS_TYPES, type InstanceFacts } from "@cloudwright/provider-api";
import { z } from "zod";
import { SCHEME } from "./provider-id.ts";

export const instanceSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  state: z.enum(["pending", "running", "stopping", "stopped"]),
  type: z.string(),
  region: z.string(),
  zone: z.string(),
  addresses: z.array(z.object({ type: z.enum(ADDRESS_TYPES), address: z.string() })),
  labels: z.record(z.string(), z.string()),
  managed: z.boolean().default(true),
  providerId: z.string().optional(),
});
/** An instance as the sandbox cloud tells it (spec/70, "Resources"). */
export type Instance = Readonly<z.infer<typeof instanceSchema>>;

export const pageSchema = z.object({
  items: z.array(instanceSchema),
  next: z.string().min(1).nullish(),
});
export type Page = Readonly<z.infer<typeof pageSchema>>;

/** `sandbox://<id>` unless the instance says otherwise; undefined when it says "none". */
export function providerIdOf(instance: Instance): string | undefined {
  if (instance.providerId === undefined) return `${SCHEME}${instance.id}`;
  return instance.providerId === "" ? undefined : instance.providerId;
}

export function factsOf(instance: Instance, asOf: number): InstanceFacts {
  const { name, type, zone, region, addresses, labels } = instance;
  return {
    providerID: providerIdOf(instance),
    name,
    type,
    zone,
    region,
    addresses,
    additionalLabels: labels,
    power: POWER[instance.state],
    asOf,
  };
}

const POWER = {
  pending: "pending",
  running: "running",
  stopping: "stopped",
  stopped: "stopped",
} as const satisfies Record<Instance["state"], InstanceFacts["power"]>;
