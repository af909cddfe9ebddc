import { describe, expect, it } from "vitest";
import { INSTANCE_FAULTS, MemoryInstances } from "../testing/memory-instances.ts";
import type { InstancesFixture } from "./instances/fixture.ts";
import { instancesCases } from "./instances.ts";

/** Returns the names of the cases that a provider fails. */
async function failures(make: () => MemoryInstances): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const each of instancesCases) {
    await each.run(make().fixture()).catch(() => failed.push(each.name));
  }
  return failed;
}

function broken(change: (cloud: MemoryInstances) => void): () => MemoryInstances {
  return () => {
    const cloud = new MemoryInstances();
    change(cloud);
    return cloud;
  };
}

const BROKEN: readonly [string, (cloud: MemoryInstances) => void, RegExp][] = [
  [
    "takes a failing cloud for an absent instance",
    (cloud) => {
      const { request } = cloud;
      cloud.request = async (context) => {
        const error = await request.call(cloud, context);
        if (error !== undefined) cloud.instances.clear();
        return undefined;
      };
    },
    /while the cloud is broken: unavailable/,
  ],
  [
    "follows a listing for thousands of pages",
    (cloud) => {
      const { request } = cloud;
      cloud.request = async (context) => {
        for (let page = 0; cloud.fault === "endlessPages" && page < 1_000; page += 1) {
          await request.call(cloud, context);
        }
        return request.call(cloud, context);
      };
    },
    /without an end: endlessPages/,
  ],
  [
    "takes what it has read of an endless answer for all there is",
    (cloud) => {
      const { request } = cloud;
      cloud.request = async (context) => {
        const error = await request.call(cloud, context);
        return error?.code === "OutOfBounds" ? undefined : error;
      };
    },
    /without an end: sameCursor/,
  ],
  [
    "calls absent what a listing lacks",
    (cloud) => {
      const { answer } = cloud;
      cloud.answer = (ref) => answer.call(cloud, ref, { mode: "single" });
    },
    /no more than not listed/,
  ],
  [
    "asks one by one",
    (cloud) => {
      const { describe: whole } = cloud;
      cloud.describe = async (refs, options, context) => {
        const parts = await Promise.all(
          refs.map((ref) => whole.call(cloud, [ref], options, context)),
        );
        return new Map(parts.flatMap((part) => [...part]));
      };
    },
    /many up with few calls/,
  ],
  [
    "leaves references without an answer",
    (cloud) => {
      const { describe: whole } = cloud;
      cloud.describe = async (refs, options, context) =>
        new Map([...(await whole.call(cloud, refs, options, context))].slice(0, 1));
    },
    /answers every reference, whatever/,
  ],
  [
    "ignores its signal",
    (cloud) => {
      const { describe: whole } = cloud;
      cloud.describe = (refs, options, context) =>
        whole.call(cloud, refs, options, {
          ...context,
          signal: new AbortController().signal,
          call: async (_description, send) => (await send(context.signal, () => true)).value,
        });
    },
    /ends with its signal/,
  ],
  [
    "asks about other clouds' instances",
    (cloud) => {
      cloud.withoutAsking = () => undefined;
    },
    /another cloud's provider ID/,
  ],
  [
    "forgets that a cloud may show nothing",
    (cloud) => {
      const { answer } = cloud;
      cloud.answer = (ref, options) => {
        const lookup = answer.call(cloud, ref, options);
        return lookup.kind === "absent"
          ? { ...lookup, proof: { ...lookup.proof, cloudShowsOthers: true } }
          : lookup;
      };
    },
    /shows no instance at all/,
  ],
];

describe("the conformance kit of instances", () => {
  it("passes a provider that meets the contract", async () => {
    expect(await failures(() => new MemoryInstances())).toEqual([]);
  });

  it.each(BROKEN)("catches a provider that %s", async (_what, change, expected) => {
    const failed = await failures(broken(change));
    expect(failed).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  it("reports which cases a fixture cannot run", () => {
    const whole = new MemoryInstances().fixture();
    const { stop: _stop, malformedProviderID: _malformed, ...bare } = { ...whole, faults: {} };
    const unmet = (fixture: InstancesFixture) =>
      instancesCases.flatMap((each) => each.unmet(fixture));
    expect(unmet(whole)).toEqual([]);
    expect(new Set(unmet(bare))).toEqual(
      new Set(["stop", "malformedProviderID", ...Object.keys(INSTANCE_FAULTS)]),
    );
  });
});
