import { z } from "zod/mini";

export const objectRefSchema = z.object({
  /** As the API server names it, or one of ours; may be a kind that only another release, or a third-party controller, knows. */
  kind: z.string(),
  namespace: z.optional(z.string()),
  name: z.string(),
  uid: z.optional(z.string()),
});
/** An object of the cluster that a run, an event, an intent or an audit entry is about. */
export type ObjectRef = Readonly<z.infer<typeof objectRefSchema>>;

const KNOWN_KINDS = {
  ofCluster: ["Node", "Service", "PersistentVolume"],
  /**
   * Objects that exist only in the cloud: an unwanted load balancer or route of ours, and a table of routes; named by their ids there.
   */
  ofCloud: ["LoadBalancer", "Route", "RouteTable"],
  ofOurs: ["Controller", "Cluster", "User", "ApiToken"],
} as const;

/** Reports whether the object exists only in the cloud: its name is its id there, and it has no UID and no Events. */
export function isOfCloudAlone({ kind }: Pick<ObjectRef, "kind">): boolean {
  return KNOWN_KINDS.ofCloud.some((known) => known === kind);
}

/** Reports whether this release works on objects of the kind, or records them. */
export function isKnownKind(kind: ObjectRef["kind"]): boolean {
  return Object.values(KNOWN_KINDS).some((kinds) => kinds.some((known) => known === kind));
}

/** The kinds on which controllers of this release work and record runs. */
export const REPORTED_KINDS: readonly string[] = [...KNOWN_KINDS.ofCluster, ...KNOWN_KINDS.ofCloud];

/** Returns the object for a name in rows, which includes the namespace if there is one. */
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

/** Returns `shop/web`, or `w-9` for an object without a namespace. */
export function objectName(ref: ObjectRef): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}
