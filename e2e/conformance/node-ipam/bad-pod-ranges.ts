import { KubeFailure } from "../../harness/kube.ts";
import { demand, same } from "../../harness/wait.ts";
import { leaderAmong, others } from "../environment/leading.ts";
import { untilNode } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { onStage, type Stage } from "../environment/stage.ts";
import { recorded, warned } from "../environment/told.ts";
import { given, giving, noneTwice, podRangesOf, register, startGiving } from "./objects.ts";

const RANGE = "10.120.0.0/22";

/** Rows B-40 to B-45: nodes whose pod ranges cannot be right, and a leader that dies while it gives some. */
export const WRONG_POD_RANGES: readonly Scenario[] = [
  onStage(
    "B-40",
    "a node outside the range is told so and stops nobody, not even a start",
    async (stage) => {
      const [outside = ""] = await register(stage, ["out"], { podCIDRs: ["10.121.0.0/24"] });
      const [two = ""] = await register(stage, ["two"], {
        podCIDRs: ["10.120.3.0/24", "fd00:120::/64"],
      });
      await startGiving(stage, RANGE);
      await warned(stage, outside, ["PodCIDROutside", "10.121.0.0/24", RANGE]);
      await warned(stage, two, ["PodCIDROutside", "fd00:120::/64"]);
      await recorded(stage, outside, { code: "PodCIDROutside", cidr: "10.121.0.0/24" });
      noneTwice([...(await given(stage, await register(stage, ["1", "2"]))), "10.120.3.0/24"]);
    },
  ),

  onStage(
    "B-41",
    "of two nodes with one range the younger is told, until the older is gone",
    async (stage) => {
      await startGiving(stage, RANGE);
      const podCIDRs = ["10.120.2.0/24"];
      const [older = ""] = await register(stage, ["a"], { podCIDRs });
      const [younger = ""] = await register(stage, ["b"], { podCIDRs });
      await warned(stage, younger, ["PodCIDRDuplicate", "10.120.2.0/24", older]);
      const ranges = await given(stage, await register(stage, ["1", "2", "3"]));
      noneTwice([...ranges, ...podCIDRs]);
      await stage.kube.delete(`/api/v1/nodes/${older}`);
      await recorded(stage, younger, { code: "PodCIDRsInStep" });
      const [waiting = ""] = await register(stage, ["4"]);
      await warned(stage, waiting, ["CIDRNotAvailable", RANGE]);
    },
  ),

  onStage(
    "B-42",
    "a malformed range never comes to be, as the API server refuses it",
    async (stage) => {
      await startGiving(stage, RANGE);
      await refused(stage, ["pods"]);
      await refused(stage, ["10.120.0.0/33"]);
      await refused(stage, ["10.120.0.0"]);
      await refused(stage, ["10.120.0.0/24", "10.120.1.0/24"]);
      const [name = ""] = await register(stage, ["1"]);
      const has = await given(stage, [name]);
      const other = { spec: { podCIDR: "10.120.3.0/24", podCIDRs: ["10.120.3.0/24"] } };
      await failsWith(422, stage.kube.patch(`/api/v1/nodes/${name}`, "merge", other));
      same(podRangesOf(stage, name), has, "its pod ranges");
    },
  ),

  onStage("B-43", "a node in the range of Services is told so", async (stage) => {
    const [name = ""] = await register(stage, ["1"], { podCIDRs: ["10.120.1.0/24"] });
    await startGiving(stage, RANGE, { flags: { "--service-cluster-ip-range": "10.120.1.0/26" } });
    await warned(stage, name, ["PodCIDRInvalid", "10.120.1.0/24", "10.120.1.0/26"]);
  }),

  onStage(
    "B-44",
    "ranges of other sizes than ours keep us from all that they cover",
    async (stage) => {
      const [wide = ""] = await register(stage, ["wide"], { podCIDRs: ["10.120.0.0/23"] });
      const [half = ""] = await register(stage, ["half"], { podCIDRs: ["10.120.2.128/25"] });
      await startGiving(stage, RANGE);
      same(await given(stage, await register(stage, ["1"])), ["10.120.3.0/24"], "what is left");
      for (const name of [wide, half]) await recorded(stage, name, { code: "PodCIDRsInStep" });
    },
  ),

  onStage(
    "B-45",
    "a leader dies by kill -9 while it gives ranges to sixty nodes: none is given twice",
    async (stage) => {
      const flags = giving("10.120.0.0/16", {
        "--leader-elect": "true",
        "--leader-elect-lease-duration": "4s",
        "--leader-elect-renew-deadline": "3s",
        "--leader-elect-retry-period": "500ms",
        // Slow enough that it dies in the middle.
        "--kube-api-qps": "40",
        "--kube-api-burst": "10",
      });
      const replicas = [
        await stage.start({ name: "a", flags }),
        await stage.start({ name: "b", flags }),
      ];
      const leader = await leaderAmong(replicas);
      const words = Array.from({ length: 60 }, (_, index) => String(index));
      const names = await register(stage, words);
      await untilNode(stage, names[20] ?? "", {
        check: ({ spec }) => demand(spec.podCIDR !== undefined, "the wave has not begun"),
      });
      leader.child.kill("SIGKILL");
      await leaderAmong([others(replicas, leader)]);
      noneTwice(await given(stage, names, { withinMs: 60_000 }));
    },
  ),
];

async function refused(stage: Stage, podCIDRs: string[]): Promise<void> {
  await failsWith(422, register(stage, ["bad"], { podCIDRs }));
}

async function failsWith(status: number, work: Promise<unknown>): Promise<void> {
  const answer = await work.then(
    () => 200,
    (error: unknown) => (error instanceof KubeFailure ? error.status : 0),
  );
  same(answer, status, "the API server's answer");
}
