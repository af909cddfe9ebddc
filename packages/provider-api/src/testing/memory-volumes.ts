import type { CallContext } from "../call-context.ts";
import { isProviderError } from "../errors.ts";
import type { VolumesFixture } from "../kit/volumes/fixture.ts";
import type { VolumeFacts, VolumeLookup, Volumes } from "../volumes.ts";
import { MemoryCloud } from "./memory-cloud.ts";

interface Kept {
  readonly id: string;
  readonly zone: string;
  readonly region: string;
  sizeGiB: number;
}

/** Disks in memory and their provider; each method can be replaced to break the contract. */
export class MemoryVolumes extends MemoryCloud implements Volumes {
  readonly kept = new Map<string, Kept>();
  readonly broken = new Set<string>();
  #made = 0;

  identify(spec: Readonly<Record<string, unknown>>): string | undefined {
    return typeof spec.memoryDisk === "string" ? spec.memoryDisk : undefined;
  }

  async describe(
    ids: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, VolumeLookup>> {
    if (ids.length === 0) return new Map();
    try {
      return await this.request(
        context,
        "GET",
        () => new Map(ids.map((id) => [id, this.lookUp(id)])),
      );
    } catch (error) {
      if (!isProviderError(error)) throw error;
      return new Map(ids.map((id) => [id, this.whenNotAsked(error)]));
    }
  }

  whenNotAsked(error: Extract<VolumeLookup, { kind: "failed" }>["error"]): VolumeLookup {
    return { kind: "failed", error };
  }

  lookUp(id: string): VolumeLookup {
    if (this.broken.has(id)) {
      return { kind: "failed", error: this.failed("GET", { code: "Unavailable" }) };
    }
    const one = this.kept.get(id);
    return one === undefined ? { kind: "absent" } : { kind: "found", facts: this.facts(one) };
  }

  grow(id: string, sizeGiB: number, context: CallContext): Promise<VolumeFacts> {
    return this.request(context, "grow", () => {
      const one = this.kept.get(id);
      if (one === undefined) throw this.failed("grow", { code: "NotFound", status: 404 });
      one.sizeGiB = this.grown(one, sizeGiB);
      return this.facts(one);
    });
  }

  grown({ sizeGiB }: Kept, wanted: number): number {
    return Math.max(sizeGiB, wanted);
  }

  facts({ id, zone, region, sizeGiB }: Kept): VolumeFacts {
    return { id, zone, region, sizeGiB, additionalLabels: {}, asOf: Date.now() };
  }

  fixture(): VolumesFixture {
    return {
      provider: this.provider,
      volumes: this,
      createVolume: async (volume) => {
        this.#made += 1;
        const id = `v-${this.#made}`;
        this.kept.set(id, { id, ...volume });
        return id;
      },
      specOf: (id) => ({ memoryDisk: id }),
      sizeOf: async (id) => this.kept.get(id)?.sizeGiB ?? 0,
      unknownVolume: "v-none",
      breakVolume: async (id) => {
        this.broken.add(id);
      },
      loseNextAnswer: async () => {
        this.lost = "grow";
      },
      throttle: (retryAfterMs) => this.break({ code: "Throttled", retryAfterMs }),
      breakCloud: () => this.break({ code: "Unavailable" }),
      answerWithoutEnd: () => this.break({ code: "OutOfBounds" }),
    };
  }
}
