import { describe, expect, it } from "vitest";
import type { CallContext } from "../call-context.ts";
import { ProviderError, type ProviderErrorCode } from "../errors.ts";
import { type DescribeOptions, type InstanceRef, instanceKey, type Lookup } from "../instances.ts";
import type { CloudFault, InstancesFixture } from "./instances/fixture.ts";
import { instancesCases } from "./instances.ts";

const CODES: Record<CloudFault, ProviderErrorCode> = {
  unavailable: "Unavailable",
  unauthorized: "Unauthorized",
  throttled: "Throttled",
  garbage: "Invalid",
  nothingFound: "NotFound",
  huge: "OutOfBounds",
  deep: "OutOfBounds",
  endlessPages: "OutOfBounds",
  sameCursor: "OutOfBounds",
};

/** A provider in memory that keeps the contract; each member can be replaced to break it. */
class MemoryCloud {
  readonly instances = new Map<string, { readonly id: string; power: "running" | "stopped" }>();
  fault: CloudFault | undefined;
  #created = 0;

  fixture(): InstancesFixture {
    return {
      provider: "memory",
      instances: { describe: (refs, options, context) => this.describe(refs, options, context) },
      create: async (name) => {
        this.#created += 1;
        this.instances.set(name, { id: `i-${this.#created}`, power: "running" });
        return `memory://i-${this.#created}`;
      },
      remove: async (name) => void this.instances.delete(name),
      stop: async (name) => {
        const instance = this.instances.get(name);
        if (instance !== undefined) instance.power = "stopped";
      },
      malformedProviderID: "memory://",
      faults: {
        unavailable: () => this.break("unavailable"),
        unauthorized: () => this.break("unauthorized"),
        throttled: () => this.break("throttled"),
        garbage: () => this.break("garbage"),
        nothingFound: () => this.break("nothingFound"),
        huge: () => this.break("huge"),
        deep: () => this.break("deep"),
        endlessPages: () => this.break("endlessPages"),
        sameCursor: () => this.break("sameCursor"),
      },
    };
  }

  async break(fault: CloudFault) {
    this.fault = fault;
    return async () => {
      this.fault = undefined;
    };
  }

  async describe(
    refs: readonly InstanceRef[],
    options: DescribeOptions,
    context: CallContext,
  ): Promise<ReadonlyMap<string, Lookup>> {
    context.signal.throwIfAborted();
    const answers = new Map<string, Lookup>();
    const ours = refs.filter((ref) => {
      const known = this.withoutAsking(ref);
      if (known !== undefined) answers.set(instanceKey(ref), known);
      return known === undefined;
    });
    if (ours.length === 0) return answers;
    const failure = await this.request(context);
    for (const ref of ours) {
      answers.set(
        instanceKey(ref),
        failure === undefined ? this.answer(ref, options) : { kind: "failed", error: failure },
      );
    }
    return answers;
  }

  withoutAsking({ providerID }: InstanceRef): Lookup | undefined {
    if (providerID === undefined) return undefined;
    if (!providerID.startsWith("memory://")) return { kind: "foreign" };
    return providerID === "memory://" ? { kind: "malformed", expected: "memory://ID" } : undefined;
  }

  async request(context: CallContext): Promise<ProviderError | undefined> {
    try {
      await context.call({ operation: "LIST", target: "all", mutates: false }, async () => {
        if (this.fault === undefined) return { value: undefined, status: 200 };
        const call = { provider: "memory", operation: "LIST", status: 500 };
        throw new ProviderError(CODES[this.fault], "The cloud is broken.", call);
      });
      return undefined;
    } catch (error) {
      if (error instanceof ProviderError) return error;
      throw error;
    }
  }

  answer(ref: InstanceRef, { mode }: DescribeOptions): Lookup {
    const hit = [...this.instances].find(([name, { id }]) =>
      ref.providerID === undefined ? name === ref.nodeName : ref.providerID === `memory://${id}`,
    );
    if (hit !== undefined) return this.found(...hit);
    if (mode === "batch") return { kind: "notListed" };
    const by = ref.providerID === undefined ? "name" : "providerID";
    const cloudShowsOthers = this.instances.size > 0;
    return { kind: "absent", proof: { by, cloudShowsOthers, at: Date.now() } };
  }

  found(name: string, { id, power }: { id: string; power: "running" | "stopped" }): Lookup {
    const facts = {
      providerID: `memory://${id}`,
      name,
      type: "m1",
      zone: "a",
      region: "r",
      addresses: [{ type: "InternalIP" as const, address: "10.0.0.1" }],
      additionalLabels: {},
      power,
      asOf: Date.now(),
    };
    return { kind: "found", facts };
  }
}

/** The names of the cases that a provider fails. */
async function failures(make: () => MemoryCloud): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const each of instancesCases) {
    await each.run(make().fixture()).catch(() => failed.push(each.name));
  }
  return failed;
}

function broken(change: (cloud: MemoryCloud) => void): () => MemoryCloud {
  return () => {
    const cloud = new MemoryCloud();
    change(cloud);
    return cloud;
  };
}

const BROKEN: readonly [string, (cloud: MemoryCloud) => void, RegExp][] = [
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
  it("passes a provider that keeps the contract", async () => {
    expect(await failures(() => new MemoryCloud())).toEqual([]);
  });

  it.each(BROKEN)("catches a provider that %s", async (_what, change, expected) => {
    const failed = await failures(broken(change));
    expect(failed).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  it("reports which cases a fixture cannot play", () => {
    const whole = new MemoryCloud().fixture();
    const { stop: _stop, malformedProviderID: _malformed, ...bare } = { ...whole, faults: {} };
    const unmet = (fixture: InstancesFixture) =>
      instancesCases.flatMap((each) => each.unmet(fixture));
    expect(unmet(whole)).toEqual([]);
    expect(new Set(unmet(bare))).toEqual(
      new Set(["stop", "malformedProviderID", ...Object.keys(CODES)]),
    );
  });
});
