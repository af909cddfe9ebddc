import type { Clock } from "../../model/time.ts";
import { type CallOptions, type KubeClient, LEASES, type Lease, type Target } from "../client.ts";
import { isKubeError } from "../errors.ts";
import { claimedLease, contentOf, holderOf, releasedLease } from "./lease-record.ts";
import type { Moment } from "./term-memory.ts";

export interface LeaseLockOptions {
  readonly client: Pick<KubeClient, "get" | "create" | "update">;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly onSlowPath: () => void;
  /** Called whenever the holder has changed, "" when the Lease is free. */
  readonly onHolder: (holder: string) => void;
}

export type LeaseAttempt =
  /** `sentAt`: the time before the write was sent, by both clocks; the Lease is ours from then on for its duration. */
  | {
      readonly held: true;
      readonly sentAt: Moment;
      readonly lease: Lease;
    }
  | { readonly held: false; readonly holder: string };

interface Observation {
  readonly lease: Lease;
  /** Monotonic time at which this content was first seen; clocks of other machines are never compared. */
  readonly since: number;
}

/** One Lease as one process reads and writes it, by the rules of spec/00 §9. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #observed: Observation | undefined;
  #knownTransitions = 0;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  get holder(): string {
    return holderOf(this.#observed?.lease);
  }

  get uid(): string | undefined {
    return this.#observed?.lease.metadata?.uid;
  }

  /** Returns for how many milliseconds another holder counts as alive unless it renews; 0 if there is none. */
  livingOtherMs(): number {
    const observed = this.#observed;
    if (observed === undefined || this.holder === "" || this.holder === this.#options.identity) {
      return 0;
    }
    const durationMs = (observed.lease.spec?.leaseDurationSeconds ?? 0) * 1_000;
    return Math.max(0, observed.since + durationMs - this.#options.clock.monotonic());
  }

  observe(lease: Lease): void {
    const before = this.#observed;
    const previousHolder = this.holder;
    const isSame = before !== undefined && contentOf(before.lease) === contentOf(lease);
    const since = isSame ? before.since : this.#options.clock.monotonic();
    this.#observed = { lease, since };
    this.#knownTransitions = lease.spec?.leaseTransitions ?? this.#knownTransitions;
    if (this.holder !== previousHolder) this.#options.onHolder(this.holder);
  }

  /**
   * Takes or renews the Lease unless another holder is alive. Throws KubeError; `Conflict` when another process was
   * faster.
   */
  async tryToHold(call: CallOptions): Promise<LeaseAttempt> {
    const mine = this.#observed;
    if (mine === undefined || this.holder !== this.#options.identity)
      return this.#readAndClaim(call);
    try {
      return await this.#write(mine.lease, call);
    } catch (error) {
      if (call.signal?.aborted) throw error;
      this.#options.onSlowPath();
      return this.#readAndClaim(call);
    }
  }

  /** Releases the Lease if it is ours. */
  async release(call: CallOptions): Promise<void> {
    const current = await this.#read(call);
    if (current === undefined || holderOf(current) !== this.#options.identity) return;
    const { client, clock } = this.#options;
    this.observe(await client.update(this.#target, releasedLease(current, clock.now()), call));
  }

  get #target(): Target {
    const { namespace, name } = this.#options;
    return { resource: LEASES, namespace, name };
  }

  async #readAndClaim(call: CallOptions): Promise<LeaseAttempt> {
    const current = await this.#read(call);
    // A deleted Lease was not released: its holder recreates it, and has precedence.
    if (current !== undefined) this.observe(current);
    if (this.livingOtherMs() > 0) return { held: false, holder: this.holder };
    return this.#write(current, call);
  }

  async #read(call: CallOptions): Promise<Lease | undefined> {
    try {
      return await this.#options.client.get<Lease>(this.#target, call);
    } catch (error) {
      if (isKubeError(error) && error.code === "NotFound") return undefined;
      throw error;
    }
  }

  async #write(current: Lease | undefined, call: CallOptions): Promise<LeaseAttempt> {
    const { client, clock } = this.#options;
    const sentAt = { monotonic: clock.monotonic(), wall: clock.now() };
    const claim = { ...this.#options, now: clock.now(), knownTransitions: this.#knownTransitions };
    const wanted = claimedLease(current, claim);
    const lease =
      current === undefined
        ? await client.create(this.#target, wanted, call)
        : await client.update(this.#target, wanted, call);
    this.observe(lease);
    return { held: true, sentAt, lease };
  }
}
