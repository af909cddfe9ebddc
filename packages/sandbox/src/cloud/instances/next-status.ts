import type { ToldStatus } from "../load-balancers/load-balancer.ts";

/** Where the load balancers that are made from now on say that they are reached; forgotten at a restart, as faults are. */
export interface NextStatus {
  /** Undefined: the truth. */
  read(): ToldStatus | undefined;
  replace(told: ToldStatus): void;
  clear(): void;
}

export function createNextStatus(): NextStatus {
  let next: ToldStatus | undefined;
  return {
    read: () => next,
    replace: (told) => {
      next = told;
    },
    clear: () => {
      next = undefined;
    },
  };
}
