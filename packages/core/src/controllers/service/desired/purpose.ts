import type { Service } from "../../../kube/client.ts";
import { isDeleting } from "../../objects/object-meta.ts";
import { classOf, hasFinalizer, isOfTypeLoadBalancer, recordedClassOf } from "../service-object.ts";

/** Which Services we serve; others of the cluster may belong to another controller of our kind. */
export interface ServedClasses {
  /** `--load-balancer-class`. */
  readonly classes: readonly string[];
  /** `--load-balancer-classless`: whether Services without a class are ours. */
  readonly classless: boolean;
}

/** What we have to do about a Service's load balancer. */
export type Purpose =
  | { readonly kind: "serve" }
  /** It has, or may have, a load balancer of ours and must have none. */
  | {
      readonly kind: "remove";
      readonly why: Unwanted;
      /** Whether its finalizer is ours, and removed with the load balancer. */
      readonly freesService: boolean;
    }
  /** It is not ours. */
  | { readonly kind: "leave"; readonly why: Unwanted };

export type Unwanted = "deleted" | "type" | "class";

export interface PurposeFacts extends ServedClasses {
  /**
   * Whether we know of a load balancer that was created for this Service while its class was ours, or may have created
   * one.
   */
  readonly mayHaveLoadBalancer: boolean;
}

/**
 * Upstream's *wants* and *needsCleanup* (spec/30 §1), except that a Service being deleted is never served (SW-19), that the
 * finalizer of another class's Service does not count as ours (SW-5), and that a load balancer with our mark is removed even
 * if the finalizer is gone or the class is no longer ours (SW-4, SW-6).
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

/** Reports whether our finalizer waits for its load balancer to be removed (spec/30 §1). */
export function needsCleanup(service: Service): boolean {
  return hasFinalizer(service) && (isDeleting(service) || !isOfTypeLoadBalancer(service));
}

/**
 * Reports whether a Service would be served if it were not being deleted: if it vanishes, it may leave a load balancer
 * behind.
 */
export function isOfOurs(service: Service, served: ServedClasses): boolean {
  return isOfTypeLoadBalancer(service) && isClassServed(classOf(service), served);
}

/** Reports whether another controller serves it. */
function isOfAnotherClass(service: Service, served: ServedClasses): boolean {
  return isOfTypeLoadBalancer(service) && !isClassServed(classOf(service), served);
}

export function isClassServed(
  name: string | undefined,
  { classes, classless }: ServedClasses,
): boolean {
  return name === undefined ? classless : classes.includes(name);
}

/** All controllers use the same finalizer. The class that was ours when it was added says whose it is. */
function isFinalizerOurs(service: Service, served: ServedClasses): boolean {
  return isOfOurs(service, served) || isClassServed(recordedClassOf(service), served);
}
