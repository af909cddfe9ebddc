import { z } from "zod";
import type { Faults } from "../faults/fault-rules.ts";
import { blackholeRoutesTo, type TableRoute, tableRouteSchema } from "../http/table-route.ts";
import {
  type InstanceRecord,
  InstanceStore,
  instanceRecordSchema,
} from "../instances/instance-store.ts";
import { LoadBalancerStore } from "../load-balancers/load-balancer-store.ts";
import { type FirewallRule, firewallRuleSchema } from "../resources/firewall-rule.ts";
import { detachFrom, type Volume, volumeSchema } from "../resources/volume.ts";
import {
  Collection,
  type CollectionName,
  type CollectionRecord,
  collectionRecordSchema,
} from "./collection.ts";

export const resourceRecordSchema = z.union([instanceRecordSchema, collectionRecordSchema]);
export type ResourceRecord = InstanceRecord | CollectionRecord;

/** Everything that is in the cloud. */
export interface CloudState {
  readonly instances: InstanceStore;
  readonly loadBalancers: LoadBalancerStore;
  readonly firewallRules: Collection<FirewallRule>;
  readonly routes: Collection<TableRoute>;
  readonly volumes: Collection<Volume>;
  replay(record: ResourceRecord): void;
  snapshot(): ResourceRecord[];
  /** Empties it; the caller makes that durable. */
  clear(): void;
  close(): void;
}

export interface CloudStateOptions {
  /** Makes a change durable. It must take the record immediately: changes that follow from another record are not written themselves. */
  readonly persist: (record: ResourceRecord) => Promise<void>;
  readonly faults: () => Faults;
}

export function createCloudState({ persist, faults }: CloudStateOptions): CloudState {
  const instances = new InstanceStore({ persist, powerDelayMs: () => faults().provisioningMs });
  const loadBalancers = new LoadBalancerStore({
    persist,
    provisioningMs: () => faults().provisioningMs,
    quota: () => faults().quotas.loadBalancers,
    machineId: (id) => instances.find(id)?.instance.id,
    isMachinesAddress: (address) => instances.hasAddress(address),
  });
  const { firewallRules, routes, volumes } = createCollections(persist);
  instances.subscribe(({ type, instance: { id } }) => {
    if (type === "delete") {
      loadBalancers.dropMember(id);
      blackholeRoutesTo(routes, id);
      detachFrom(volumes, id);
    }
  });
  const dependants: Readonly<Record<CollectionName, Dependant>> = {
    "load-balancers": loadBalancers,
    "firewall-rules": firewallRules,
    routes,
    volumes,
  };
  const all = Object.values(dependants);
  return {
    ...{ instances, loadBalancers, firewallRules, routes, volumes },
    replay: (record) => {
      if (record.collection === "instances") {
        instances.replay(record);
      } else {
        dependants[record.collection].replay(record);
      }
    },
    snapshot: () => [...instances.snapshot(), ...all.flatMap((one) => one.snapshot())],
    clear: () => {
      for (const one of [...all, instances]) {
        one.clear();
      }
    },
    close: () => instances.close(),
  };
}

type Dependant = Pick<Collection<{ id: string }>, "replay" | "snapshot" | "clear">;

function createCollections(persist: CloudStateOptions["persist"]) {
  return {
    firewallRules: new Collection<FirewallRule>({
      name: "firewall-rules",
      noun: "firewall rule",
      read: (kept) => firewallRuleSchema.parse(kept),
      persist,
    }),
    routes: new Collection<TableRoute>({
      name: "routes",
      noun: "route",
      read: (kept) => tableRouteSchema.parse(kept),
      persist,
    }),
    volumes: new Collection<Volume>({
      name: "volumes",
      noun: "volume",
      read: (kept) => volumeSchema.parse(kept),
      persist,
    }),
  };
}
