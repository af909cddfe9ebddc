import type { OverriddenStatus } from "../load-balancers/load-balancer.ts";

/** The address that load balancers created from now on report; like faults, it is forgotten at a restart. */
export interface NextStatus {
  /** Undefined: the real address. */
  read(): OverriddenStatus | undefined;
  replace(overridden: OverriddenStatus): void;
  clear(): void;
}

export function createNextStatus(): NextStatus {
  let next: OverriddenStatus | undefined;
  return {
    read: () => next,
    replace: (overridden) => {
      next = overridden;
    },
    clear: () => {
      next = undefined;
    },
  };
}
