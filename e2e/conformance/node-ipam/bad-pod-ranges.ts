import { KubeFailure } from "../../harness/kube.ts";
import { demand, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import { leaderAmong, others } from "../environment/leading.ts";
import { untilNode } from "../environment/objects.ts";
import { recorded, warned } from "../environment/reported.ts";
import type { Scenario } from "../environment/scenario.ts";
import { given, giving, noneTwice, podRangesOf, register, startGiving } from "./objects.ts";

const RANGE = "10.120.0.0/22";

/** Rows B-40 to B-45: nodes with impossible pod ranges, and a leader that dies while it allocates some. */
export const WRONG_POD_RANGES: readonly Scenario[] = isolatedRows({
  "B-40 a node outside the range is reported and stops nobody, not even a start": async (env) => {
    const [outside = ""] = await register(env, ["out"], { podCIDRs: ["10.121.0.0/24"] });
    const [two = ""] = await register(env, ["two"], {
      podCIDRs: ["10.120.3.0/24", "fd00:120::/64"],
    });
    await startGiving(env, RANGE);
    await warned(env, outside, ["PodCIDROutside", "10.121.0.0/24", RANGE]);
    await warned(env, two, ["PodCIDROutside", "fd00:120::/64"]);
    await recorded(env, outside, { code: "PodCIDROutside", cidr: "10.121.0.0/24" });
    noneTwice([...(await given(env, await register(env, ["1", "2"]))), "10.120.3.0/24"]);
  },
  "B-41 of two nodes with one range the younger is reported, until the older is gone": async (
    env,
  ) => {
    await startGiving(env, RANGE);
    const podCIDRs = ["10.120.2.0/24"];
    const [older = ""] = await register(env, ["a"], { podCIDRs });
    const [younger = ""] = await register(env, ["b"], { podCIDRs });
    await warned(env, younger, ["PodCIDRDuplicate", "10.120.2.0/24", older]);
    const ranges = await given(env, await register(env, ["1", "2", "3"]));
    noneTwice([...ranges, ...podCIDRs]);
    await env.kube.delete(`/api/v1/nodes/${older}`);
    await recorded(env, younger, { code: "PodCIDRsInStep" });
    const [waiting = ""] = await register(env, ["4"]);
    await warned(env, waiting, ["CIDRNotAvailable", RANGE]);
  },
  "B-42 a malformed range never comes to be, as the API server refuses it": async (env) => {
    await startGiving(env, RANGE);
    await refused(env, ["pods"]);
    await refused(env, ["10.120.0.0/33"]);
    await refused(env, ["10.120.0.0"]);
    await refused(env, ["10.120.0.0/24", "10.120.1.0/24"]);
    const [name = ""] = await register(env, ["1"]);
    const has = await given(env, [name]);
    const other = { spec: { podCIDR: "10.120.3.0/24", podCIDRs: ["10.120.3.0/24"] } };
    await failsWith(422, env.kube.patch(`/api/v1/nodes/${name}`, "merge", other));
    same(podRangesOf(env, name), has, "its pod ranges");
  },
  "B-43 a node in the range of Services is reported": async (env) => {
    const [name = ""] = await register(env, ["1"], { podCIDRs: ["10.120.1.0/24"] });
    await startGiving(env, RANGE, { flags: { "--service-cluster-ip-range": "10.120.1.0/26" } });
    await warned(env, name, ["PodCIDRInvalid", "10.120.1.0/24", "10.120.1.0/26"]);
  },
  "B-44 ranges of other sizes than ours keep us from all that they cover": async (env) => {
    const [wide = ""] = await register(env, ["wide"], { podCIDRs: ["10.120.0.0/23"] });
    const [half = ""] = await register(env, ["half"], { podCIDRs: ["10.120.2.128/25"] });
    await startGiving(env, RANGE);
    same(await given(env, await register(env, ["1"])), ["10.120.3.0/24"], "what is left");
    for (const name of [wide, half]) await recorded(env, name, { code: "PodCIDRsInStep" });
  },
  "B-45 a leader dies by kill -9 while it gives ranges to sixty nodes: none is given twice": async (
    env,
  ) => {
    const flags = giving("10.120.0.0/16", {
      "--leader-elect": "true",
      "--leader-elect-lease-duration": "4s",
      "--leader-elect-renew-deadline": "3s",
      "--leader-elect-retry-period": "500ms",
      // Slow enough that it dies halfway.
      "--kube-api-qps": "40",
      "--kube-api-burst": "10",
    });
    const replicas = [await env.start({ name: "a", flags }), await env.start({ name: "b", flags })];
    const leader = await leaderAmong(replicas);
    const words = Array.from({ length: 60 }, (_, index) => String(index));
    const names = await register(env, words);
    await untilNode(env, names[20] ?? "", {
      check: ({ spec }) => demand(spec.podCIDR !== undefined, "the wave has not begun"),
    });
    leader.child.kill("SIGKILL");
    await leaderAmong([others(replicas, leader)]);
    noneTwice(await given(env, names, { withinMs: 60_000 }));
  },
});

async function refused(env: IsolatedEnvironment, podCIDRs: string[]): Promise<void> {
  await failsWith(422, register(env, ["bad"], { podCIDRs }));
}

async function failsWith(status: number, work: Promise<unknown>): Promise<void> {
  const answer = await work.then(
    () => 200,
    (error: unknown) => (error instanceof KubeFailure ? error.status : 0),
  );
  same(answer, status, "the API server's answer");
}
