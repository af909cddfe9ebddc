import { z } from "zod/mini";

export const objectRefSchema = z.object({
  /** As the API server names it, or one of ours; also one that only another release, or a controller of somebody's own, knows. */
  kind: z.string(),
  namespace: z.optional(z.string()),
  name: z.string(),
  uid: z.optional(z.string()),
});
/** An object of the cluster that a run, an event, an intent or an audit entry is about. */
export type ObjectRef = Readonly<z.infer<typeof objectRefSchema>>;

const KNOWN_KINDS = {
  ofCluster: ["Node", "Service", "PersistentVolume"],
  /** In the cloud alone: a load balancer or a route of ours that nothing asks for, and a table of routes; named by their ids there. */
  ofCloud: ["LoadBalancer", "Route", "RouteTable"],
  ofOurs: ["Controller", "Cluster", "User", "ApiToken"],
} as const;

/** Whether it is in the cloud alone: its id there is its name, it has no UID and no Events. */
export function isOfCloudAlone({ kind }: Pick<ObjectRef, "kind">): boolean {
  return KNOWN_KINDS.ofCloud.some((known) => known === kind);
}

/** Whether this release works on objects of the kind, or records them. */
export function isKnownKind(kind: ObjectRef["kind"]): boolean {
  return Object.values(KNOWN_KINDS).some((kinds) => kinds.some((known) => known === kind));
}

/** The kinds that controllers of this release work on and record runs of. */
export const REPORTED_KINDS: readonly string[] = [...KNOWN_KINDS.ofCluster, ...KNOWN_KINDS.ofCloud];

/** An object by its name as rows have it: with its namespace, where it has one. */
export function objectRefOf({
  kind,
  name,
  uid,
}: Pick<ObjectRef, "kind" | "name" | "uid">): ObjectRef {
  const [last = name, namespace] = name.split("/").reverse();
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name: last,
    ...(uid === undefined ? {} : { uid }),
  };
}

/** `shop/web`, or `w-9` for what has no namespace. */
export function objectName(ref: ObjectRef): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}
