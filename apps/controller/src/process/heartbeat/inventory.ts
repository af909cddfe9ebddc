import { isUninitialised } from "@cloudwright/core/controllers/objects/node-object";
import { purposeOf } from "@cloudwright/core/controllers/service/purpose";
import type { Node, Service } from "@cloudwright/core/kube/client";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { FlagValues } from "../../flags/definitions/all.ts";

type Counted<T extends Node | Service> = Pick<Informer<T>, "list" | "hasSynced">;

/**
 * What the informer caches hold: the ledger has rows only of what a controller has looked at, and a page that counted
 * those alone would call a cluster well of which it knows a part. Nothing before the first lists are there.
 */
export function inventoryOf(
  caches:
    | { readonly nodes: Counted<Node>; readonly services: Counted<Service> | undefined }
    | undefined,
  flags: Pick<FlagValues, "load-balancer-class" | "load-balancer-classless">,
): Pick<Heartbeat, "inventory"> {
  if (caches === undefined || !caches.nodes.hasSynced) return {};
  const nodes = caches.nodes.list();
  return {
    inventory: {
      nodes: nodes.length,
      uninitialised: nodes.filter(isUninitialised).length,
      ...servedOf(caches.services, flags),
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
    mayHaveBalancer: false,
  };
  const isServed = (service: Service) => purposeOf(service, served).kind === "serve";
  return { services: services.list().filter(isServed).length };
}
