import type { Service } from "../../../kube/client.ts";
import { isDeleting } from "../../objects/object-meta.ts";
import { classOf, hasFinalizer, isOfTypeLoadBalancer, recordedClassOf } from "../service-object.ts";

/** Which Services are ours to serve; others of the cluster may be another controller's of our kind. */
export interface ServedClasses {
  /** `--load-balancer-class`. */
  readonly classes: readonly string[];
  /** `--load-balancer-classless`: whether those without a class are ours. */
  readonly classless: boolean;
}

/** What we have to do with a Service's load balancer. */
export type Purpose =
  | { readonly kind: "serve" }
  /** It has, or may have, a load balancer of ours and is to have none. */
  | {
      readonly kind: "remove";
      readonly why: Unwanted;
      /** Whether its finalizer is ours, and goes with the load balancer. */
      readonly freesService: boolean;
    }
  /** It is nothing of ours. */
  | { readonly kind: "leave"; readonly why: Unwanted };

export type Unwanted = "deleted" | "type" | "class";

export interface PurposeFacts extends ServedClasses {
  /** Whether we know of a load balancer that was made for this Service while its class was ours, or may have made one. */
  readonly mayHaveLoadBalancer: boolean;
}

/**
 * Upstream's *wants* and *needsCleanup* (spec/30 §1), but for three things: a Service that is being deleted is never
 * served (SW-19), the finalizer of another class's Service is not taken for ours (SW-5), and a load balancer that carries our
 * mark is removed even where the finalizer is gone or the class is not ours any more (SW-4, SW-6).
 */
export function purposeOf(service: Service, facts: PurposeFacts): Purpose {
  const isServed = isOfTypeLoadBalancer(service) && isClassServed(classOf(service), facts);
  if (isServed && !isDeleting(service)) return { kind: "serve" };
  const freesService = hasFinalizer(service) && isFinalizerOurs(service, facts);
  const isOurs = facts.mayHaveLoadBalancer || (freesService && !isOfAnotherClass(service, facts));
  const why = unwantedBy(service, facts);
  return isOurs ? { kind: "remove", why, freesService } : { kind: "leave", why };
}

function unwantedBy(service: Service, served: ServedClasses): Unwanted {
  const isKeptByOthers = hasFinalizer(service) && !isFinalizerOurs(service, served);
  if (isOfAnotherClass(service, served) || isKeptByOthers) return "class";
  return isDeleting(service) ? "deleted" : "type";
}

/** Whether our finalizer waits for its load balancer to be removed (spec/30 §1). */
export function needsCleanup(service: Service): boolean {
  return hasFinalizer(service) && (isDeleting(service) || !isOfTypeLoadBalancer(service));
}

/** Whether a Service would be served if it were not being deleted: one that vanishes so may leave a load balancer behind. */
export function isOfOurs(service: Service, served: ServedClasses): boolean {
  return isOfTypeLoadBalancer(service) && isClassServed(classOf(service), served);
}

/** Whether another controller is to serve it. */
function isOfAnotherClass(service: Service, served: ServedClasses): boolean {
  return isOfTypeLoadBalancer(service) && !isClassServed(classOf(service), served);
}

export function isClassServed(
  name: string | undefined,
  { classes, classless }: ServedClasses,
): boolean {
  return name === undefined ? classless : classes.includes(name);
}

/** All controllers use one finalizer. The class that was ours when it was set says whose it is. */
function isFinalizerOurs(service: Service, served: ServedClasses): boolean {
  return isOfOurs(service, served) || isClassServed(recordedClassOf(service), served);
}
