import { expect, it } from "vitest";
import { CREATED_AT } from "../testing/node-fixture.ts";
import { expectPreviewsLeaveNothing } from "../testing/previews.ts";
import { FakeNodes, kubeFailure } from "./testing/fake-nodes.ts";
import { IpamFixture } from "./testing/ipam-fixture.ts";

const NAMES = ["n4", "n3", "n2", "n1"];

/** Returns everything that was published, remembered and written so far, and how full the ranges are. */
function traces({ nodes, outcomes, loop, effects, meter, pools }: IpamFixture) {
  return {
    effects: [...effects],
    meter: [...meter],
    patched: [...nodes.patched],
    ranges: nodes.list().map(({ metadata, spec }) => [metadata?.name, spec?.podCIDRs]),
    used: pools().map(({ used }) => used),
    runs: outcomes.map(({ object, outcome, reason, written, unwritten }) => [
      ...[object.name, outcome, reason, written.length, unwritten],
    ]),
    memory: NAMES.map((name) => loop.memoryStore.of(name, loop.object(name).uid)),
  };
}

async function started(shape: ConstructorParameters<typeof IpamFixture>[0] = {}) {
  const made = new IpamFixture(shape);
  await made.settle();
  return made;
}

const HELD = { "cloudwright.io/hold": "by hand" };
/** Later nodes are previewed first, which must not give them the blocks of the earlier ones. */
const scenario = { start: started, keys: NAMES, traces };

it("leave no trace of nodes that get their blocks, wait for one, are held and go", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => started({ ranges: [["10.120.0.0/23", 24]] }),
    steps: [
      ({ nodes }) => {
        for (const name of ["n1", "n2", "n3"]) nodes.register({ name });
      },
      ({ nodes }) => nodes.register({ name: "n4", annotations: HELD }),
      ({ nodes }) => nodes.remove("n1"),
      ({ nodes }) => nodes.register({ name: "n4" }),
      ({ nodes }) => nodes.remove("n2"),
    ],
  }));

it("leave no trace when writes are refused and somebody sets ranges by hand", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    steps: [
      ({ nodes }) => {
        nodes.onPatch = async (name) => {
          throw kubeFailure("Forbidden", name);
        };
        nodes.register({ name: "n1" });
        nodes.register({ name: "n2" });
      },
      ({ nodes }) => {
        nodes.onPatch = async (_name, land) => land();
        nodes.register({ name: "n3", podCIDRs: ["10.120.1.0/24"] });
      },
      ({ nodes }) => {
        const deletionTimestamp = new Date(CREATED_AT).toISOString();
        nodes.register({ name: "n4", deletionTimestamp });
      },
    ],
  }));

it("leave no trace in a dry run, which writes nothing either", () =>
  expectPreviewsLeaveNothing({
    ...scenario,
    start: () => started({ dryRun: true, ranges: [["10.120.0.0/23", 24]] }),
    steps: [
      ({ nodes }) => {
        for (const name of ["n1", "n2", "n3"]) nodes.register({ name });
      },
      ({ nodes }) => nodes.remove("n1"),
    ],
  }));

it("offers the block of a deleted node to a waiting one, even in a dry run", async () => {
  const fixture = await started({
    dryRun: true,
    nodes: new FakeNodes(),
    ranges: [["10.0.0.0/24", 24]],
  });
  fixture.nodes.register({ name: "n1" });
  fixture.nodes.register({ name: "n2" });
  await fixture.settle();
  expect(fixture.lastOf("n2")?.reason.code).toBe("PodCIDRsExhausted");
  fixture.nodes.remove("n1");
  await fixture.settle();
  expect(fixture.lastOf("n2")?.unwritten).toMatchObject([{ after: { podCIDRs: ["10.0.0.0/24"] } }]);
});
