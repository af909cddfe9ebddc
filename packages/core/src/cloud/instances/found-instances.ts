import { instanceKey, type Lookup } from "@cloudwright/provider-api";
import type { Clock } from "../../model/time.ts";
import { type GatheringWish, oldestFor } from "../gathering/gathered-batch.ts";

const MOST = 20_000;

/**
 * What the cloud showed lately, under the reference that was asked for and under its provider ID: a node looked up by
 * name is asked for by ID once it has one. Bounded in time and number.
 */
export class FoundInstances {
  readonly #clock: Clock;
  readonly #keepMs: number;
  /** In order of insertion, and so of age. */
  readonly #kept = new Map<string, { readonly lookup: Lookup; readonly askedAt: number }>();

  constructor(clock: Clock, keepMs: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  /** Keeps it if it is a found instance. `askedAt`: monotonic milliseconds when the call began. */
  keep(key: string, lookup: Lookup, askedAt: number): void {
    if (lookup.kind !== "found") return;
    this.#put(key, lookup, askedAt);
    const { providerID, name } = lookup.facts;
    if (providerID !== undefined) {
      this.#put(instanceKey({ nodeName: name, providerID }), lookup, askedAt);
    }
    this.#dropOld();
  }

  /** What was asked for recently enough for this request. */
  get(key: string, request: Pick<GatheringWish, "maxAgeMs" | "notBefore">): Lookup | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const now = this.#clock.monotonic();
    const oldest = Math.max(oldestFor(request, now), now - this.#keepMs);
    return kept.askedAt > oldest ? kept.lookup : undefined;
  }

  #put(key: string, lookup: Lookup, askedAt: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { lookup, askedAt });
  }

  #dropOld(): void {
    const oldest = this.#clock.monotonic() - this.#keepMs;
    for (const [key, { askedAt }] of this.#kept) {
      if (askedAt > oldest && this.#kept.size <= MOST) return;
      this.#kept.delete(key);
    }
  }
}
