import type { Clock, Random } from "../../model/time.ts";
import { createDeadline } from "../calls/deadline.ts";
import type { KubeConnection } from "../calls/kube-client.ts";
import { LEASES, type Lease } from "../client.ts";
import { isKubeError } from "../errors.ts";
import { eventText } from "../events/event-object.ts";
import type { EventRecorder } from "../events/events.ts";
import { startInformer } from "../informer/informer.ts";
import {
  type ElectionTimings,
  electionRequestTimeoutMs,
  giveUpAgeMs,
  RETRY_JITTER,
} from "./election-timings.ts";
import { LeaseLock } from "./lease-lock.ts";
import { holderOf } from "./lease-record.ts";
import { type TermFence, TermMemory, termFence } from "./term-memory.ts";
import { createWakeUp } from "./wake-up.ts";

export interface ElectionOptions extends ElectionCallbacks {
  /** A separate client, so that no other call delays a renewal; its fence is `mayRenew`. */
  readonly client: KubeConnection;
  readonly namespace: string;
  readonly name: string;
  /** Hostname, underscore, random UUID (spec/00 §9). */
  readonly identity: string;
  /** Must be valid: the check of the flags refuses others. */
  readonly timings: ElectionTimings;
  readonly clock: Clock;
  readonly random: Random;
  readonly events?: Pick<EventRecorder, "event">;
  /** Where the term is kept, if another thread has to see it as well. */
  readonly memory?: TermMemory;
  /** Whether the thread that acts on the Lease is alive: nothing is taken or renewed for a dead one. Absent: always. */
  readonly isAttended?: () => boolean;
}

/** What an election reports. Callbacks must not throw: that ends the process, and the Lease stays held. */
export interface ElectionCallbacks {
  readonly onStartedLeading: (term: Term) => void;
  /** Called once after a term, when `isLeader()` already returns false; the election is over then. */
  readonly onStoppedLeading: (reason: StoppedReason) => void;
  /** Called whenever the Lease has another holder, "" when it is free. */
  readonly onHolder?: (identity: string) => void;
  /** Called after each failed attempt; the election goes on by itself. */
  readonly onError?: (error: unknown) => void;
  /** Called for a renewal that needed a read first (`leader_election_slowpath_total`). */
  readonly onSlowPath?: () => void;
  /** Called after each renewal that the API server confirmed. */
  readonly onRenewed?: (renewal: Renewal) => void;
}

/** The timing of a renewal, in milliseconds. */
export interface Renewal {
  /** From its due time until its start: the delay in this process. */
  readonly lateMs: number;
  /** From its start until the API server's confirmation. */
  readonly answerMs: number;
}

export interface Term {
  readonly identity: string;
  readonly leaseTransitions: number;
}

/** `threadDied`: the election's separate thread has died; the Lease runs out. */
export type StoppedReason = "released" | "renewalFailed" | "takenOver" | "threadDied";

export interface Election extends TermFence {
  /** The last known holder, "" if the Lease is free. */
  readonly leader: string;
  readonly term: Term | undefined;
  /** Stops competing or leading; releases the Lease if it is ours. The work must be stopped first. */
  stop(): Promise<void>;
}

/**
 * Competes for the Lease until `stop`, or until a term ends: a process that has lost its leadership does not lead again
 * (spec/00 §9). A standby watches the Lease, so that it takes over at once after a release; if watching is forbidden it
 * polls.
 */
export function runElection(options: ElectionOptions): Election {
  const stopping = new AbortController();
  const campaign = new Campaign(options, stopping.signal);
  const finished = campaign.run();
  return {
    ...campaign.fence,
    get leader() {
      return campaign.leader;
    },
    get term() {
      return campaign.term;
    },
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}

/** How often to check whether the acting thread is alive again: it may be just in time. */
const POLL_EVERY_MS = 250;

class Campaign {
  readonly #options: ElectionOptions;
  readonly #stopping: AbortSignal;
  readonly #lock: LeaseLock;
  readonly #pause;
  readonly fence: TermFence;
  readonly #memory: TermMemory;
  #term: Term | undefined;
  /** An attempt was aborted by our stop: the Lease may be ours without our knowing. */
  #isUnsure: boolean = false;

  constructor(options: ElectionOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#stopping = stopping;
    this.#memory = options.memory ?? new TermMemory();
    this.fence = termFence(this.#memory, options);
    this.#pause = createWakeUp(options.clock);
    this.#lock = new LeaseLock({
      ...options,
      leaseDurationMs: options.timings.leaseDurationMs,
      onSlowPath: options.onSlowPath ?? (() => undefined),
      onHolder: options.onHolder ?? (() => undefined),
    });
  }

  get leader(): string {
    return this.#lock.holder;
  }

  get term(): Term | undefined {
    return this.#term;
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

  /** Resolves when the Lease is ours, or when we have to stop. */
  async #compete(): Promise<Term | undefined> {
    while (!this.#stopping.aborted) {
      if (this.#isAttended()) await this.#attempt(this.#stopping);
      if (this.#term !== undefined) return this.#term;
      await this.#pause.wait(this.#retryMs(), this.#stopping);
    }
    return undefined;
  }

  /** When a holder dies, the next attempt comes the moment its lease ends, not up to a retry period later. */
  #retryMs(): number {
    const jitter = 1 + RETRY_JITTER * this.#options.random();
    const retryMs = this.#options.timings.retryPeriodMs * jitter;
    const livingMs = this.#lock.livingOtherMs();
    return livingMs > 0 ? Math.min(retryMs, Math.ceil(livingMs)) : retryMs;
  }

  async #keepLeading(): Promise<StoppedReason> {
    for (;;) {
      const dueAt = await this.#untilDue();
      if (this.#stopping.aborted) return "released";
      if (this.#leftMs() <= 0) return "renewalFailed";
      const holder = await this.#renew(dueAt);
      if (holder !== undefined && holder !== this.#options.identity) return "takenOver";
    }
  }

  /** Waits until a renewal is due and the acting thread is alive; returns when it was due. */
  async #untilDue(): Promise<number> {
    const { clock, timings } = this.#options;
    const waitMs = Math.min(timings.retryPeriodMs, this.#leftMs());
    const dueAt = clock.monotonic() + waitMs;
    await this.#pause.wait(waitMs, this.#stopping);
    while (!this.#isAttended() && this.#leftMs() > 0 && !this.#stopping.aborted) {
      await this.#pause.wait(Math.min(POLL_EVERY_MS, this.#leftMs()), this.#stopping);
    }
    return dueAt;
  }

  /** Returns the milliseconds until this leader gives up unless it can renew. */
  #leftMs(): number {
    return giveUpAgeMs(this.#options.timings) - (this.fence.renewalAgeMs() ?? 0);
  }

  #isAttended(): boolean {
    return this.#options.isAttended?.() ?? true;
  }

  async #renew(dueAt: number): Promise<string | undefined> {
    const { clock, identity, onRenewed } = this.#options;
    const begunAt = clock.monotonic();
    const deadline = createDeadline({ clock, timeoutMs: this.#leftMs(), signal: this.#stopping });
    try {
      const holder = await this.#attempt(deadline.signal);
      if (holder === identity) {
        // A renewal that the watch asked for is early.
        const lateMs = Math.max(0, begunAt - dueAt);
        onRenewed?.({ lateMs, answerMs: clock.monotonic() - begunAt });
      }
      return holder;
    } finally {
      deadline.clear();
    }
  }

  /** Tries once to take or renew; returns who holds the Lease, undefined if that is unknown. */
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
      this.#memory.confirm(attempt.sentAt);
      this.#term = { identity, leaseTransitions };
      return identity;
    } catch (error) {
      this.#isUnsure = this.#stopping.aborted;
      this.#report(error);
      return undefined;
    }
  }

  /**
   * Another process has led in between and released the Lease: what this process decided before must no longer be
   * written.
   */
  async #giveBack(): Promise<string> {
    await this.#release();
    return "";
  }

  async #endTerm(reason: StoppedReason): Promise<void> {
    this.#term = undefined;
    this.#memory.end();
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
    let reported = false;
    const informer = startInformer<Lease>({
      client,
      resource: LEASES,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      clock,
      random,
      signal,
      // An outage already shows in the election's own calls; only here does it show that watching
      // is forbidden.
      onError: (error) => {
        if (reported || !isKubeError(error) || error.code !== "Forbidden") return;
        reported = true;
        this.#options.onError?.(error);
      },
    });
    informer.subscribe((event) =>
      this.#onLease(event.kind === "deleted" ? undefined : event.object),
    );
  }

  /** A standby need not hear of a deletion, and a leader checks at its next renewal, in case the event is old. */
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
      eventText("LeaderElection", `${identity} ${what}`),
    );
  }

  #report(error: unknown): void {
    if (this.#stopping.aborted) return;
    // Another candidate was faster, which is normal in an election.
    const isRace =
      isKubeError(error) && (error.code === "Conflict" || error.code === "AlreadyExists");
    if (!isRace || this.#term !== undefined) this.#options.onError?.(error);
  }
}
