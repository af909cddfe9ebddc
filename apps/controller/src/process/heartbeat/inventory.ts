import { isUninitialised } from "@cloudwright/core/controllers/objects/node-object";
import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import { purposeOf } from "@cloudwright/core/controllers/service/purpose";
import type { Node, Service } from "@cloudwright/core/kube/client";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { FlagValues } from "../../flags/definitions/all.ts";
import type { WatchCaches } from "../../wiring/cluster/cluster-informers.ts";

type Counted<T extends Node | Service> = Pick<Informer<T>, "list" | "hasSynced">;

/**
 * What the informer caches hold: the ledger has rows only of what a controller has looked at, and a page that counted
 * those alone would call a cluster well of which it knows a part. Nothing before the first lists are there.
 */
export function inventoryOf(
  informers:
    | { readonly nodes: Counted<Node>; readonly caches: Pick<WatchCaches, "find"> }
    | undefined,
  flags: Pick<FlagValues, "load-balancer-class" | "load-balancer-classless">,
): Pick<Heartbeat, "inventory"> {
  if (informers === undefined || !informers.nodes.hasSynced) return {};
  const nodes = informers.nodes.list();
  return {
    inventory: {
      nodes: nodes.length,
      uninitialised: nodes.filter(isUninitialised).length,
      ...servedOf(informers.caches.find(SERVICE_WATCH), flags),
    },
  };
}

function servedOf(
  services: Counted<Service> | undefined,
  flags: Pick<FlagValues, "load-balancer-class" | "load-balancer-classless">,
): { readonly services?: number } {
  if (services === undefined || !services.hasSynced) return {};
  const served = {
    classes: flags["load-balancer-class"],
    classless: flags["load-balancer-classless"],
    mayHaveLoadBalancer: false,
  };
  const isServed = (service: Service) => purposeOf(service, served).kind === "serve";
  return { services: services.list().filter(isServed).length };
}
