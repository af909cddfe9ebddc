import type { Clock, Random } from "../model/time.ts";
import { LEASES, type Lease } from "./client.ts";
import { createDeadline } from "./deadline.ts";
import {
  type ElectionTimings,
  electionRequestTimeoutMs,
  giveUpAgeMs,
  RETRY_JITTER,
} from "./election-timings.ts";
import { isKubeError } from "./errors.ts";
import type { EventRecorder } from "./events.ts";
import { startInformer } from "./informer.ts";
import type { KubeConnection } from "./kube-client.ts";
import { LeaseLock } from "./lease-lock.ts";
import { holderOf } from "./lease-record.ts";
import { createWakeUp } from "./wake-up.ts";

export interface ElectionOptions {
  /** A client of its own, so that no other call delays a renewal; its fence is `mayRenew`. */
  readonly client: KubeConnection;
  readonly namespace: string;
  readonly name: string;
  /** Hostname, underscore, random UUID (spec/00 §9). */
  readonly identity: string;
  /** Checked by `electionTimingProblems`. */
  readonly timings: ElectionTimings;
  readonly clock: Clock;
  readonly random: Random;
  readonly events?: EventRecorder;
  /** Callbacks must not throw: that ends the process, and the Lease stays held. */
  readonly onStartedLeading: (term: Term) => void;
  /** Called once after a term, when `isLeader()` answers false already; the election is over then. */
  readonly onStoppedLeading: (reason: StoppedReason) => void;
  /** Told whenever another process, or this one, holds the Lease. */
  readonly onNewLeader?: (identity: string) => void;
  /** Told of each failed attempt; the election goes on by itself. */
  readonly onError?: (error: unknown) => void;
  /** A renewal that needed a read first (`leader_election_slowpath_total`). */
  readonly onSlowPath?: () => void;
  /** Called after each renewal that the API server confirmed. */
  readonly onRenewed?: (renewal: Renewal) => void;
}

/** How a renewal went, in milliseconds. */
export interface Renewal {
  /** From the moment it was due until it was begun: what this process lacked. */
  readonly lateMs: number;
  /** From its beginning until the API server's confirmation. */
  readonly answerMs: number;
}

export interface Term {
  readonly identity: string;
  readonly leaseTransitions: number;
}

export type StoppedReason = "released" | "renewalFailed" | "takenOver";

export interface Election {
  /** The write fence: true only while this process leads and its last renewal is younger than the lease. */
  isLeader(): boolean;
  /**
   * The fence of the election's own client: false while a term lasts that can no longer be renewed in time. A process that
   * was stopped in the middle of a renewal finds no timer yet that has told it.
   */
  mayRenew(): boolean;
  /** The holder that was last seen, "" when free. */
  readonly leader: string;
  readonly term: Term | undefined;
  /** Milliseconds since the last successful renewal of the running term. */
  renewalAgeMs(): number | undefined;
  /** Stops competing or leading; releases the Lease if it is ours. Stop the work first. */
  stop(): Promise<void>;
}

/**
 * Competes for the Lease until `stop`, or until a term ended: who has led and lost does not lead again in this process
 * (spec/00 §9). A standby watches the Lease, so that it takes over at once after a release; where watching is forbidden
 * it finds out by polling.
 */
export function runElection(options: ElectionOptions): Election {
  const stopping = new AbortController();
  const campaign = new Campaign(options, stopping.signal);
  const finished = campaign.run();
  return {
    isLeader: () => campaign.isLeader(),
    mayRenew: () => campaign.mayRenew(),
    get leader() {
      return campaign.leader;
    },
    get term() {
      return campaign.term;
    },
    renewalAgeMs: () => campaign.renewalAgeMs(),
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}

class Campaign {
  readonly #options: ElectionOptions;
  readonly #stopping: AbortSignal;
  readonly #lock: LeaseLock;
  readonly #pause;
  #term: Term | undefined;
  #renewed = { monotonic: 0, wall: 0 };
  /** A try was broken off as we stopped: the Lease may be ours without our knowing. */
  #isUnsure: boolean = false;

  constructor(options: ElectionOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#stopping = stopping;
    this.#pause = createWakeUp(options.clock);
    this.#lock = new LeaseLock({
      ...options,
      leaseDurationMs: options.timings.leaseDurationMs,
      onSlowPath: options.onSlowPath ?? (() => undefined),
      onNewHolder: options.onNewLeader ?? (() => undefined),
    });
  }

  get leader(): string {
    return this.#lock.holder;
  }

  get term(): Term | undefined {
    return this.#term;
  }

  /** By both clocks: the monotonic one stands still while the machine sleeps, the other one can be set back. */
  isLeader(): boolean {
    if (this.#term === undefined) return false;
    const { clock, timings } = this.#options;
    const ageMs = Math.max(
      clock.monotonic() - this.#renewed.monotonic,
      clock.now() - this.#renewed.wall,
    );
    return ageMs < timings.leaseDurationMs;
  }

  /** By the monotonic clock alone: one that is set forward must not cost a leader its Lease. */
  mayRenew(): boolean {
    return this.#term === undefined || this.#leftMs() > 0;
  }

  renewalAgeMs(): number | undefined {
    return this.#term === undefined
      ? undefined
      : this.#options.clock.monotonic() - this.#renewed.monotonic;
  }

  async run(): Promise<void> {
    const watching = new AbortController();
    this.#watchLease(watching.signal);
    const term = await this.#compete();
    if (term === undefined) {
      if (this.#isUnsure) await this.#release();
    } else {
      this.#announce("became leader");
      this.#options.onStartedLeading(term);
      await this.#endTerm(await this.#keepLeading());
    }
    watching.abort();
  }

  /** Until the Lease is ours, or we shall stop. */
  async #compete(): Promise<Term | undefined> {
    while (!this.#stopping.aborted) {
      await this.#attempt(this.#stopping);
      if (this.#term !== undefined) return this.#term;
      await this.#pause.wait(this.#retryMs(), this.#stopping);
    }
    return undefined;
  }

  /** A holder that dies is followed the moment its lease ends, not up to a retry later. */
  #retryMs(): number {
    const jitter = 1 + RETRY_JITTER * this.#options.random();
    const retryMs = this.#options.timings.retryPeriodMs * jitter;
    const livingMs = this.#lock.livingOtherMs();
    return livingMs > 0 ? Math.min(retryMs, Math.ceil(livingMs)) : retryMs;
  }

  async #keepLeading(): Promise<StoppedReason> {
    const { clock, timings } = this.#options;
    for (;;) {
      const waitMs = Math.min(timings.retryPeriodMs, this.#leftMs());
      const dueAt = clock.monotonic() + waitMs;
      await this.#pause.wait(waitMs, this.#stopping);
      if (this.#stopping.aborted) return "released";
      if (this.#leftMs() <= 0) return "renewalFailed";
      const holder = await this.#renew(dueAt);
      if (holder !== undefined && holder !== this.#options.identity) return "takenOver";
    }
  }

  /** Milliseconds until this leader gives up unless it can renew. */
  #leftMs(): number {
    return giveUpAgeMs(this.#options.timings) - (this.renewalAgeMs() ?? 0);
  }

  async #renew(dueAt: number): Promise<string | undefined> {
    const { clock, identity, onRenewed } = this.#options;
    const begunAt = clock.monotonic();
    const deadline = createDeadline({ clock, timeoutMs: this.#leftMs(), signal: this.#stopping });
    try {
      const holder = await this.#attempt(deadline.signal);
      if (holder === identity) {
        // One that the watch asked for is early.
        const lateMs = Math.max(0, begunAt - dueAt);
        onRenewed?.({ lateMs, answerMs: clock.monotonic() - begunAt });
      }
      return holder;
    } finally {
      deadline.clear();
    }
  }

  /** One try to take or renew; answers who holds the Lease, undefined when that is unknown. */
  async #attempt(signal: AbortSignal): Promise<string | undefined> {
    const { identity, timings } = this.#options;
    try {
      const timeoutMs = electionRequestTimeoutMs(timings);
      const attempt = await this.#lock.tryToHold({ signal, timeoutMs });
      if (!attempt.held) return attempt.holder;
      const leaseTransitions = attempt.lease.spec?.leaseTransitions ?? 0;
      if (this.#term !== undefined && this.#term.leaseTransitions !== leaseTransitions) {
        return await this.#giveBack();
      }
      this.#renewed = attempt.sentAt;
      this.#term = { identity, leaseTransitions };
      return identity;
    } catch (error) {
      this.#isUnsure = this.#stopping.aborted;
      this.#report(error);
      return undefined;
    }
  }

  /** Somebody else has led in between and let go: what this process decided before is not to be written any more. */
  async #giveBack(): Promise<string> {
    await this.#release();
    return "";
  }

  async #endTerm(reason: StoppedReason): Promise<void> {
    this.#term = undefined;
    if (reason === "released") await this.#release();
    this.#announce("stopped leading");
    this.#options.onStoppedLeading(reason);
  }

  async #release(): Promise<void> {
    const timeoutMs = electionRequestTimeoutMs(this.#options.timings);
    try {
      await this.#lock.release({ timeoutMs });
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #watchLease(signal: AbortSignal): void {
    const { client, namespace, name, clock, random } = this.#options;
    let told = false;
    const informer = startInformer<Lease>({
      client,
      resource: LEASES,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      clock,
      random,
      signal,
      // An outage shows in the election's own calls already; that watching is forbidden shows only here.
      onError: (error) => {
        if (told || !isKubeError(error) || error.code !== "Forbidden") return;
        told = true;
        this.#options.onError?.(error);
      },
    });
    informer.subscribe((event) =>
      this.#onLease(event.kind === "deleted" ? undefined : event.object),
    );
  }

  /** A standby need not hear of a deletion, and a leader looks for itself at its next renewal, in case it is old news. */
  #onLease(lease: Lease | undefined): void {
    const holder = holderOf(lease);
    if (this.#term !== undefined) {
      if (holder !== this.#options.identity) this.#pause.wake();
    } else if (lease !== undefined) {
      this.#lock.observe(lease);
      if (holder === "") this.#pause.wake();
    }
  }

  #announce(what: "became leader" | "stopped leading"): void {
    const { namespace, name, identity } = this.#options;
    const uid = this.#lock.uid === undefined ? {} : { uid: this.#lock.uid };
    this.#options.events?.event(
      { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace, name, ...uid },
      { type: "Normal", reason: "LeaderElection", message: `${identity} ${what}` },
    );
  }

  #report(error: unknown): void {
    if (this.#stopping.aborted) return;
    // Another candidate was faster: that is what elections are.
    const isRace =
      isKubeError(error) && (error.code === "Conflict" || error.code === "AlreadyExists");
    if (!isRace || this.#term !== undefined) this.#options.onError?.(error);
  }
}
