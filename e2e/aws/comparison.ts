import type { Calls, Snapshot } from "./lab.ts";

/** The resources that are not alike, each with both values. */
export function differencesOf(ours: Snapshot, upstreams: Snapshot): readonly string[] {
  return [...namesIn(ours, upstreams)].flatMap((kind) => {
    const [left = {}, right = {}] = [ours[kind], upstreams[kind]];
    return [...namesIn(left, right)].flatMap((name) => {
      const [mine, theirs] = [JSON.stringify(left[name]), JSON.stringify(right[name])];
      return mine === theirs ? [] : [`${kind}/${name} is ${mine}, with upstream's ${theirs}`];
    });
  });
}

export function resourcesIn(snapshot: Snapshot): number {
  return Object.values(snapshot).reduce((sum, ones) => sum + Object.keys(ones).length, 0);
}

/** `calls 19, upstream's manager 18; writes 7 and 7 (elb.DescribeLoadBalancers 3:2)`. */
export function textOfCalls(ours: Calls, upstreams: Calls): string {
  const differing = [...namesIn(ours.byOperation, upstreams.byOperation)].sort().flatMap((name) => {
    const [mine, theirs] = [ours, upstreams].map((one) => one.byOperation[name]?.count ?? 0);
    return mine === theirs ? [] : [`${name} ${mine}:${theirs}`];
  });
  const more = differing.length === 0 ? "" : ` (${differing.join(", ")})`;
  return `calls ${ours.total}, upstream's manager ${upstreams.total}; writes ${ours.writes} and ${upstreams.writes}${more}`;
}

function namesIn(...ones: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
  return new Set(ones.flatMap((one) => Object.keys(one)));
}
