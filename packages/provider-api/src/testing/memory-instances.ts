import type { CallContext } from "../call-context.ts";
import { ProviderError, type ProviderErrorCode } from "../errors.ts";
import { type DescribeOptions, type InstanceRef, instanceKey, type Lookup } from "../instances.ts";
import type { CloudFault, InstancesFixture } from "../kit/instances/fixture.ts";

/** The error code that a provider reports for each fault of the cloud. */
export const INSTANCE_FAULTS: Record<CloudFault, ProviderErrorCode> = {
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

/** A provider in memory that meets the contract; each member can be replaced to break it. */
export class MemoryInstances {
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
        throw new ProviderError(INSTANCE_FAULTS[this.fault], "The cloud is broken.", call);
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
