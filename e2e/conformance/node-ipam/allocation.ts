import { metrics } from "../../harness/controller.ts";
import { demand, same } from "../../harness/wait.ts";
import { isolatedRows } from "../environment/isolated.ts";
import { nodeStays } from "../environment/objects.ts";
import { isRecorded, warned } from "../environment/reported.ts";
import type { Scenario } from "../environment/scenario.ts";
import { allOf, given, noneTwice, podRangesOf, register, startGiving } from "./objects.ts";

const CONTROLLER = "node-ipam-controller";
/** Four blocks for nodes. */
const SMALL = "10.120.0.0/22";
const OF_SMALL = /^10\.120\.[0-3]\.0\/24$/;

/** Rows: how nodes get their pod ranges. */
export const NODE_IPAM: readonly Scenario[] = isolatedRows({
  "R-37 three nodes get a block each, the first one also as podCIDR": async (env) => {
    const early = await register(env, ["1", "2"]);
    const replica = await startGiving(env, SMALL);
    const late = await register(env, ["3"]);
    const ranges = await given(env, [...early, ...late]);
    allOf(ranges, OF_SMALL);
    noneTwice(ranges);
    const reported = await metrics(replica.securePort);
    for (const line of [
      `node_ipam_controller_cirdset_max_cidrs{clusterCIDR="${SMALL}"} 4`,
      `node_ipam_controller_cidrset_usage_cidrs{clusterCIDR="${SMALL}"} 0.75`,
      `node_ipam_controller_cidrset_cidrs_allocations_total{clusterCIDR="${SMALL}"} 3`,
      `node_ipam_controller_cidrset_allocation_tries_per_request_count{clusterCIDR="${SMALL}"} 3`,
    ])
      demand(reported.includes(line), `the metrics lack ${line}`);
    const [first = ""] = early;
    await isRecorded(env, first, {
      controller: CONTROLLER,
      uid: env.nodes.get(first)?.metadata.uid,
      outcome: "changed",
      reason: "PodCIDRsInStep",
    });
  },
  "R-38 a fifth node of four blocks is warned, and gets the block of one that goes without being touched":
    async (env) => {
      await startGiving(env, SMALL);
      const four = await register(env, ["1", "2", "3", "4"]);
      const ranges = await given(env, four);
      const [fifth = ""] = await register(env, ["5"]);
      await warned(env, fifth, ["CIDRNotAvailable", SMALL]);
      await nodeStays(env, fifth, {
        check: ({ spec }) => same(spec.podCIDRs, undefined, "its pod ranges"),
        forMs: 2_000,
      });
      await isRecorded(env, fifth, {
        controller: CONTROLLER,
        uid: env.nodes.get(fifth)?.metadata.uid,
        outcome: "blocked",
        reason: "PodCIDRsExhausted",
      });
      await env.kube.delete(`/api/v1/nodes/${four[1]}`);
      same(await given(env, [fifth]), [ranges[1]], "what it gets");
    },
  "R-39 whoever starts anew leaves alone what nodes have, and gives none of it twice": async (
    env,
  ) => {
    const before = await startGiving(env, SMALL);
    const first = await register(env, ["1", "2"]);
    const ranges = await given(env, first);
    await before.stop("SIGKILL");
    const second = await register(env, ["3", "4"]);
    await startGiving(env, SMALL, { name: "b" });
    noneTwice([...ranges, ...(await given(env, second))]);
    same(
      first.flatMap((name) => podRangesOf(env, name)),
      ranges,
      "what they had",
    );
  },
  "R-40 two ranges give two blocks, in their order, by /24 and /64": async (env) => {
    const v4 = /^10\.120\.\d+\.0\/24$/;
    const v6 = /^fd00:120:0:[0-9a-f]*:?:\/64$|^fd00:120::\/64$/;
    const one = await startGiving(env, "10.120.0.0/16,fd00:120::/48");
    const first = await given(env, await register(env, ["1"]), { each: 2 });
    allOf(first.slice(0, 1), v4);
    allOf(first.slice(1), v6);
    await one.stop();
    await startGiving(env, "fd00:120::/48,10.120.0.0/16", { name: "b" });
    const second = await given(env, await register(env, ["2"]), { each: 2 });
    allOf(second.slice(0, 1), v6);
    allOf(second.slice(1), v4);
    noneTwice([...first, ...second]);
  },
  "R-41 no node gets a block in which Services live": async (env) => {
    await startGiving(env, SMALL, { flags: { "--service-cluster-ip-range": "10.120.1.0/25" } });
    const three = await given(env, await register(env, ["1", "2", "3"]));
    noneTwice(three);
    allOf(three, OF_SMALL);
    demand(!three.includes("10.120.1.0/24"), `Services' block was given: ${three.join(", ")}`);
    const [fourth = ""] = await register(env, ["4"]);
    await warned(env, fourth, ["CIDRNotAvailable", SMALL]);
  },
});
