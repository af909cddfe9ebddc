import type { Service } from "../../kube/client.ts";
import { isDeleting } from "../object-meta.ts";
import { hasFinalizer, isOfTypeLoadBalancer } from "./service-object.ts";

/** What we have to do with a Service's balancer. */
export type Purpose =
  | { readonly kind: "serve" }
  /** It has, or may have, a balancer of ours and is to have none. */
  | { readonly kind: "remove"; readonly why: Unwanted }
  /** It is nothing of ours. */
  | { readonly kind: "leave"; readonly why: Unwanted };

export type Unwanted = "deleted" | "type" | "class";

export interface PurposeFacts {
  /** `--load-balancer-class`: those that we serve beside none. */
  readonly classes: readonly string[];
  /** Whether we know of a balancer with this Service's mark, or may have made one. */
  readonly mayHaveBalancer: boolean;
}

/**
 * Upstream's *wants* and *needsCleanup* (spec/30 §1), but for three things: a Service that is being deleted is never
 * served (SW-19), the finalizer of another class's Service is not taken for ours (SW-5), and a balancer that carries our
 * mark is removed even where the finalizer is gone or the class is not ours any more (SW-4, SW-6).
 */
export function purposeOf(service: Service, facts: PurposeFacts): Purpose {
  const isBalanced = isOfTypeLoadBalancer(service);
  if (isBalanced && !isClassServed(service, facts.classes)) {
    return { kind: facts.mayHaveBalancer ? "remove" : "leave", why: "class" };
  }
  if (isBalanced && !isDeleting(service)) return { kind: "serve" };
  const why = isDeleting(service) ? "deleted" : "type";
  const isOurs = hasFinalizer(service) || facts.mayHaveBalancer;
  return { kind: isOurs ? "remove" : "leave", why };
}

/** Whether our finalizer waits for its balancer to be removed (spec/30 §1). */
export function needsCleanup(service: Service): boolean {
  return hasFinalizer(service) && (isDeleting(service) || !isOfTypeLoadBalancer(service));
}

/** Whether a Service would be served if it were not being deleted: one that vanishes so may leave a balancer behind. */
export function isOfOurs(service: Service, classes: readonly string[]): boolean {
  return isOfTypeLoadBalancer(service) && isClassServed(service, classes);
}

function isClassServed(service: Service, classes: readonly string[]): boolean {
  const name = service.spec?.loadBalancerClass;
  return name === undefined || classes.includes(name);
}
