import type { CloudRoute } from "@cloudwright/provider-api";
import type { Reason } from "../../model/reason.ts";

/** What we have done ourselves for a range, for the pages. */
export interface Made {
  readonly route: CloudRoute;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string;
}

interface Failures {
  readonly runId: string;
  readonly reasons: Map<string, Reason>;
  /** What has already been looked at again. */
  readonly lookedAgain: Set<string>;
}

/** The newest look of a key's runs. */
export interface LastLook {
  /** When the cloud said what was seen. */
  readonly asOf: number;
  readonly runId: string;
  /** Whether a change of a Node had brought the run about. */
  readonly isOfNodes: boolean;
}

/** What we know beside what the API server and the cloud keep; lost with the process, and then learnt anew. */
export class RouteMemory {
  readonly #failures = new Map<string, Failures>();
  /** By the Node's UID, then by the range. */
  readonly #made = new Map<string, Map<string, Made>>();
  readonly #lookedAt = new Map<string, LastLook>();
  readonly #unsettled = new Set<string>();
  readonly #doubted = new Set<string>();

  /** Whether the last listing failed: what was seen before is not acted upon then (spec/40 §3.1). */
  isBlind: boolean = false;

  /** What this run has tried in vain. */
  failuresOf(key: string, runId: string): ReadonlyMap<string, Reason> {
    return this.#of(key, runId).reasons;
  }

  failed(key: string, runId: string, failure: { readonly of: string; readonly why: Reason }): void {
    this.#of(key, runId).reasons.set(failure.of, failure.why);
  }

  /** True the first time that this run asks: the cloud has refused what an old picture promised. */
  mayLookAgain(key: string, runId: string, about: string): boolean {
    const { lookedAgain } = this.#of(key, runId);
    if (lookedAgain.has(about)) return false;
    lookedAgain.add(about);
    return true;
  }

  made(owner: string, destination: string, made: Made): void {
    const ofOwner = this.#made.get(owner) ?? new Map<string, Made>();
    this.#made.set(owner, ofOwner.set(destination, made));
  }

  madeFor(owner: string, destination: string): Made | undefined {
    return this.#made.get(owner)?.get(destination);
  }

  lookedAt(key: string, look: LastLook): void {
    this.#lookedAt.set(key, look);
  }

  lastLook(key: string): LastLook | undefined {
    return this.#lookedAt.get(key);
  }

  /** Whether the key's last run has left something undone, so that it comes back by itself or waits for others. */
  isUnsettled(key: string): boolean {
    return this.#unsettled.has(key);
  }

  /** Whether its last run waits for a second listing. */
  isDoubted(key: string): boolean {
    return this.#doubted.has(key);
  }

  ended(key: string, left: { readonly isSettled: boolean; readonly isDoubted: boolean }): void {
    this.#failures.delete(key);
    set(this.#unsettled, key, !left.isSettled);
    set(this.#doubted, key, left.isDoubted);
  }

  /** Drops what is known of a key, and of what was made for an owner that is gone. */
  forget(key: string, owner?: string): void {
    this.#failures.delete(key);
    this.#lookedAt.delete(key);
    this.#unsettled.delete(key);
    this.#doubted.delete(key);
    if (owner !== undefined) this.#made.delete(owner);
  }

  #of(key: string, runId: string): Failures {
    const known = this.#failures.get(key);
    if (known?.runId === runId) return known;
    const fresh: Failures = { runId, reasons: new Map(), lookedAgain: new Set() };
    this.#failures.set(key, fresh);
    return fresh;
  }
}

function set(keys: Set<string>, key: string, isIn: boolean): void {
  if (isIn) keys.add(key);
  else keys.delete(key);
}
