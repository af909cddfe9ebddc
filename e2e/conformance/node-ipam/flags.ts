import type { Flags } from "../../harness/controller.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { row, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { given, giving, register, startGiving } from "./objects.ts";

const V4 = "10.244.0.0/16";
const V6 = "fd00:120::/48";
const DUAL = `${V4},${V6}`;

interface Refusal {
  readonly range: string | undefined;
  readonly flags?: Flags;
  readonly says: readonly string[];
}

const MASK = "--node-cidr-mask-size";
const MASK_V4 = "--node-cidr-mask-size-ipv4";
const MASK_V6 = "--node-cidr-mask-size-ipv6";

const REFUSED: readonly Refusal[] = [
  { range: undefined, says: ["--cluster-cidr is not set"] },
  { range: "pods", says: ["--cluster-cidr", "pods"] },
  { range: "10.0.0.0/16,10.1.0.0/16", says: ["--cluster-cidr has two ranges of one family"] },
  { range: `${DUAL},10.1.0.0/16`, says: ["--cluster-cidr has 3 ranges"] },
  { range: DUAL, flags: { [MASK]: "24" }, says: [`${MASK} is 24`, MASK_V4, MASK_V6] },
  { range: V4, flags: { [MASK]: "24", [MASK_V4]: "24" }, says: [MASK, MASK_V4] },
  { range: V4, flags: { [MASK_V6]: "64" }, says: [`${MASK_V6} is 64`] },
  { range: V6, flags: { [MASK_V4]: "24" }, says: [`${MASK_V4} is 24`] },
  { range: "10.244.0.0/25", says: ["10.244.0.0/25", "too small"] },
  { range: "fd00::/47", says: ["fd00::/47", "16 bits"] },
  {
    range: V4,
    flags: { "--service-cluster-ip-range": "10.0.0.0/16,fd00::/108,10.1.0.0/16" },
    says: ["--service-cluster-ip-range has 3 ranges"],
  },
  {
    range: V4,
    flags: { "--service-cluster-ip-range": "10.0.0.0/16,10.1.0.0/16" },
    says: ["--service-cluster-ip-range has two ranges of one family"],
  },
  {
    range: V4,
    flags: { "--cidr-allocator-type": "CloudAllocator" },
    says: ["--cidr-allocator-type is CloudAllocator"],
  },
  {
    range: "10.244.0.0/25",
    flags: { [MASK_V6]: "64", "--cidr-allocator-type": "CloudAllocator" },
    says: ["--cidr-allocator-type", MASK_V6, "too small"],
  },
];

interface Acceptance {
  readonly range: string;
  readonly flags: Flags;
  /** The masks of the blocks assigned to a node. */
  readonly masks: readonly string[];
}

const ACCEPTED: readonly Acceptance[] = [
  { range: V4, flags: { [MASK]: "26" }, masks: ["26"] },
  { range: V6, flags: { [MASK_V6]: "60" }, masks: ["60"] },
  { range: DUAL, flags: { [MASK_V4]: "25", [MASK_V6]: "62" }, masks: ["25", "62"] },
  { range: V4, flags: { "--service-cluster-ip-range": "services" }, masks: ["24"] },
];

const IPAM = "node-ipam-controller";

interface Selected {
  readonly controllers: string;
  readonly allocates: "true" | "false";
  readonly runs: boolean;
}

const SELECTED: readonly Selected[] = [
  { controllers: "*", allocates: "true", runs: true },
  { controllers: "*", allocates: "false", runs: false },
  { controllers: "*,-nodeipam", allocates: "true", runs: false },
  { controllers: "nodeipam", allocates: "false", runs: false },
];

/** Rows R-42 and B-46. */
export const NODE_IPAM_FLAGS: readonly Scenario[] = [
  row(
    "R-42",
    "ranges and masks that do not fit are refused all at once, those that do are obeyed",
    async (env) => {
      for (const refusal of REFUSED) await refuses(env, refusal);
      await ACCEPTING.run(env);
    },
  ),
  isolatedRow(
    "B-46",
    "pod ranges are given where they are asked for, and where nobody turned that off",
    async (env) => {
      for (const [index, selected] of SELECTED.entries()) await runsAs(env, index, selected);
    },
  ),
];

async function runsAs(
  env: IsolatedEnvironment,
  index: number,
  { controllers, allocates, runs }: Selected,
): Promise<void> {
  const flags = giving(V4, { "--controllers": controllers, "--allocate-node-cidrs": allocates });
  const replica = await env.start({ name: `selected-${index}`, flags });
  const others = controllers === "nodeipam" ? undefined : "cloud-node-lifecycle-controller";
  await eventually(async () => {
    const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
    if (others !== undefined) demand(health.includes(others), `it has not started: ${health}`);
    same(health.includes(`[+]${IPAM} ok`), runs, `whether it runs for ${controllers}`);
    const isReported = replica.output().includes("Not started: --allocate-node-cidrs is false");
    same(isReported, others === undefined, "whether it says that it is not started");
  });
  await replica.stop();
}

const ACCEPTING = isolatedRow("R-42", "ranges and masks that fit are obeyed", async (env) => {
  for (const [index, acceptance] of ACCEPTED.entries()) await accepts(env, index, acceptance);
});

async function refuses(env: SharedEnvironment, { range, flags, says }: Refusal): Promise<void> {
  const { "--cluster-cidr": _none, ...rest } = giving("");
  const ranged = range === undefined ? rest : giving(range);
  const ending = await env.startsAndEnds({ ...ranged, "--secure-port": "0", ...flags });
  same(ending.code, 1, `the exit code (${ending.output})`);
  for (const text of says)
    demand(ending.output.includes(text), `it does not say "${text}": ${ending.output}`);
  demand(!/^\s+at /m.test(ending.output), `it shows a stack: ${ending.output}`);
}

async function accepts(
  env: IsolatedEnvironment,
  index: number,
  { range, flags, masks }: Acceptance,
): Promise<void> {
  const replica = await startGiving(env, range, { name: `accepts-${index}`, flags });
  const names = await register(env, [String(index)]);
  const ranges = await given(env, names, { each: masks.length });
  same(
    ranges.map((one) => one.split("/")[1]),
    masks,
    "the masks of its blocks",
  );
  await replica.stop();
  for (const name of names) await env.kube.delete(`/api/v1/nodes/${name}`);
}
