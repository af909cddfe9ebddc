import type { RunContext } from "../../reconcile/reconciler.ts";

/** What a person asks of the load balancer, once in a run; `allowed` is what the operator who started this process lets it adopt. */
export function wished(
  run: RunContext,
  allowed: string | undefined,
): { everything?: boolean; consent?: string } {
  const wish = isCarriedOut(run) ? undefined : run.asked?.wish;
  if (wish?.kind === "reensure") return { everything: true };
  const consent = (wish?.kind === "adopt" ? wish.balancer : undefined) ?? allowed;
  return consent === undefined ? {} : { consent };
}

/** Whether this run has changed something in the cloud already. */
export function isCarriedOut({ written }: Pick<RunContext, "written">): boolean {
  return written.some(({ change }) => change.system === "cloud");
}
