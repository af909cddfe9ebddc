import type { OverriddenStatus } from "../load-balancers/load-balancer.ts";

/** Where the load balancers that are made from now on say that they are reached; forgotten at a restart, as faults are. */
export interface NextStatus {
  /** Undefined: the truth. */
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
