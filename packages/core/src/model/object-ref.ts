import { z } from "zod";

export const objectRefSchema = z.object({
  kind: z.enum([
    "Node",
    "Service",
    "LoadBalancer",
    "PersistentVolume",
    /** In the cloud alone: a route of ours that no Node asks for, and a table of routes; named by their ids. */
    "Route",
    "RouteTable",
    "Controller",
    "Cluster",
    "User",
  ]),
  namespace: z.string().optional(),
  name: z.string(),
  uid: z.string().optional(),
});
/** An object of the cluster that a run, an event, an intent or an audit entry is about. */
export type ObjectRef = Readonly<z.infer<typeof objectRefSchema>>;

/** `shop/web`, or `w-9` for what has no namespace. */
export function objectName(ref: ObjectRef): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}
