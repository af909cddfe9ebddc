import { SHUTDOWN_TAINT, type Taint } from "../objects/node-object.ts";

/**
 * The taints with exactly one shutdown taint of upstream's effect and no value; undefined when they are so already.
 * One that a user set with another effect stays while the instance is off.
 */
export function withShutdownTaint(taints: readonly Taint[]): readonly Taint[] | undefined {
  const ours = taints.filter(isUpstreams);
  const [first] = ours;
  if (ours.length === 1 && first !== undefined && (first.value ?? "") === "") return undefined;
  return [
    ...taints.filter((taint) => !isUpstreams(taint)),
    { key: SHUTDOWN_TAINT, effect: "NoSchedule" },
  ];
}

/** The taints without any shutdown taint, whatever its effect; undefined when there is none. */
export function withoutShutdownTaint(taints: readonly Taint[]): readonly Taint[] | undefined {
  const rest = taints.filter(({ key }) => key !== SHUTDOWN_TAINT);
  return rest.length === taints.length ? undefined : rest;
}

function isUpstreams({ key, effect }: Taint): boolean {
  return key === SHUTDOWN_TAINT && effect === "NoSchedule";
}
