import { isKnownKind } from "@cloudwright/core/model/object-ref";
import { addresses } from "./addresses.ts";

/** An object as named by rows, runs and audit entries. */
export interface NamedObject {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Returns `shop/web`, or `w-9` for an object without a namespace. */
export function fullName({ namespace, name }: NamedObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns the page of an object; undefined for things without one, such as a controller. */
export function objectAddress(cluster: string, object: NamedObject): string | undefined {
  switch (object.kind) {
    case "Node":
      return addresses.node(cluster, object.name);
    case "Service":
      return addresses.balancer(cluster, fullName(object));
    case "LoadBalancer":
      return addresses.orphans(cluster, object.name);
    case "Route":
      return addresses.routes(cluster, `?show=stale&q=${encodeURIComponent(object.name)}`);
    case "NodeRoutes":
      return addresses.nodeRoutes(cluster, object.name);
    case "RouteTable":
      return addresses.routes(cluster, `?table=${encodeURIComponent(object.name)}`);
    case "PersistentVolume":
      return addresses.volume(cluster, object.name);
    default:
      return isKnownKind(object.kind)
        ? undefined
        : addresses.object(cluster, object.kind, fullName(object));
  }
}
