import type { Registry } from "../registry/context.ts";
import { events } from "../resources/event.ts";

/** Upstream's default for how long an event is kept after its last write. */
const LIFETIME_MS = 3_600_000;
const PERIOD_MS = 30_000;

/** Removes events an hour after their last write. Returns a function that stops it. */
export function expireEvents(registry: Registry): () => void {
  const writtenAt = new Map<string, number>();
  const started = registry.now();
  const unlisten = registry.store.listen(({ storage, kind, revision }) => {
    if (storage !== events.storage) return;
    if (kind === "deleted") writtenAt.delete(revision.key);
    else writtenAt.set(revision.key, registry.now());
  });
  const timer = setInterval(() => {
    for (const { key } of registry.store.list({ storage: events.storage, prefix: "" }).revisions) {
      const age = registry.now() - (writtenAt.get(key) ?? started);
      if (age >= LIFETIME_MS) registry.store.remove(events.storage, key);
    }
  }, PERIOD_MS);
  timer.unref();
  return () => {
    unlisten();
    clearInterval(timer);
  };
}
