import { z } from "zod";

export const objectRefSchema = z.object({
  /** As the API server names it, or one of ours; also one that only another release, or a controller of somebody's own, knows. */
  kind: z.string(),
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
