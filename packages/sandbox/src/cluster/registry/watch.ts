import type { ServerResponse } from "node:http";
import { ApiError, expired } from "../http/api-error.ts";
import type { ResourceTarget } from "../http/request-info.ts";
import { CompactedError } from "../state/object-store.ts";
import type { StoreChange } from "../state/revision.ts";
import type { Registry } from "./context.ts";
import { type Matcher, matcherOf, rangeOf } from "./list.ts";
import type { WatchLines } from "./watch-lines.ts";
import type { WatchPlan } from "./watch-plan.ts";

/** Bytes after which a slow reader is cut off, as upstream does; it then lists again. */
const MOST_BUFFERED = 64 * 1_024 * 1_024;
const BOOKMARK_PERIOD_MS = 60_000;

export interface WatchRequest {
  readonly target: ResourceTarget;
  readonly query: URLSearchParams;
  readonly plan: WatchPlan;
  readonly lines: WatchLines;
}

/**
 * One watch from its first event until its timeout, its client's departure or a cut. If the requested history is no longer kept, it ends
 * with an ERROR event, as upstream's watch cache does.
 */
export class Watch {
  readonly #registry: Registry;
  readonly #request: WatchRequest;
  readonly #response: ServerResponse;
  readonly #matches: Matcher;
  #waiting: string[] = [];
  #stop: () => void = () => undefined;

  constructor(registry: Registry, request: WatchRequest, response: ServerResponse) {
    this.#registry = registry;
    this.#request = request;
    this.#response = response;
    this.#matches = matcherOf(request.target, request.query);
  }

  start(): void {
    try {
      this.#sendPast();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#response.end(this.#request.lines.error(error));
      return;
    }
    this.#follow();
  }

  #sendPast(): void {
    const { plan } = this.#request;
    if (plan.initialEvents) this.#sendPresent();
    else if (plan.since !== undefined) this.#sendSince(plan.since);
  }

  #sendPresent(): void {
    const { target, plan, lines } = this.#request;
    const { version, revisions } = this.#registry.store.list(rangeOf(target));
    for (const revision of revisions.filter(this.#matches))
      this.#send(lines.event("ADDED", revision));
    if (plan.initialBookmark) this.#send(lines.bookmark(version, true));
  }

  #sendSince(version: number): void {
    const { store } = this.#registry;
    try {
      for (const change of store.changesSince(rangeOf(this.#request.target), version)) {
        this.#pass(change);
      }
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      throw expired(`too old resource version: ${version} (${store.compactedVersion})`);
    }
  }

  #follow(): void {
    const { target, plan } = this.#request;
    const { storage, prefix } = rangeOf(target);
    const unlisten = this.#registry.store.listen((change) => {
      if (change.storage === storage && change.revision.key.startsWith(prefix)) this.#pass(change);
    });
    const bookmarks = plan.bookmarks
      ? setInterval(() => this.#sendBookmark(), BOOKMARK_PERIOD_MS)
      : undefined;
    const timeout = setTimeout(() => this.#end(), plan.timeoutMs);
    this.#stop = () => {
      unlisten();
      clearInterval(bookmarks);
      clearTimeout(timeout);
    };
    this.#response.once("close", () => this.#stop());
  }

  /** An object that starts or ceases to match the selector appears or vanishes for this watch. */
  #pass(change: StoreChange): void {
    const { lines } = this.#request;
    const before = change.previous !== undefined && this.#matches(change.previous);
    const after = change.kind !== "deleted" && this.#matches(change.revision);
    if (after) {
      this.#send(lines.change(before ? "MODIFIED" : "ADDED", change));
    } else if (before) {
      this.#send(lines.change("DELETED", change));
    }
  }

  #sendBookmark(): void {
    this.#send(this.#request.lines.bookmark(this.#registry.store.version, false));
  }

  #end(): void {
    if (this.#request.plan.bookmarks) this.#sendBookmark();
    this.#flush();
    this.#stop();
    this.#response.end();
  }

  /** Sends the events of one turn of the event loop in one write. */
  #send(line: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(line);
  }

  #flush(): void {
    if (this.#waiting.length === 0 || this.#response.writableEnded) return;
    this.#response.write(this.#waiting.join(""));
    this.#waiting = [];
    if (this.#response.writableLength > MOST_BUFFERED) this.#response.destroy();
  }
}
