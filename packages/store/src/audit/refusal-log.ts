import type { NewAuditEntry } from "./audit-insert.ts";

export interface RefusalLog {
  /** Writes the entry, or counts it towards a summary entry. */
  record(entry: NewAuditEntry): Promise<void>;
  /** The refusals that are only counted so far: the last of each kind, and how many. */
  counted(): readonly { readonly last: NewAuditEntry; readonly more: number }[];
  /** Writes all counted refusals at once, for example when the process ends. */
  flush(): Promise<void>;
}

export interface RefusalLogOptions {
  readonly write: (entry: NewAuditEntry) => Promise<void>;
  /** Called when a summary entry could not be written; its count is lost. */
  readonly onLost: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Calls `work` once after this many milliseconds; the returned function cancels it. */
  readonly later?: (ms: number, work: () => void) => () => void;
}

/** How long refusals are counted before one entry sums them up. */
export const FOLDED_FOR_MS = 10 * 60_000;
/** Most equal refusals of one actor in that time that get entries of their own. */
export const SAME_MOST = 3;
/** Most refusals of one actor in that time that get entries of their own. */
export const ACTOR_MOST = 60;
/** Most refusals of all actors in that time that get entries of their own. */
export const ALL_MOST = 300;

/**
 * Limits the audit entries about refusals: entries stay for good, and a refused request costs its sender nothing. Only the first ones of a
 * kind get entries of their own; those of the following ten minutes share one entry that says how many there were.
 */
export function refusalLog(options: RefusalLogOptions): RefusalLog {
  const { write, onLost, now = Date.now, later = laterUnref } = options;
  const counts = new Map<string, Count>();
  const countOf = (key: string, most: number, of: string): Count => {
    const known = counts.get(key);
    if (known !== undefined) return known;
    const made: Count = { key, most, of, since: now(), single: 0, more: 0, last: undefined };
    counts.set(key, made);
    made.cancel = later(FOLDED_FOR_MS, () => void close(made));
    return made;
  };
  const close = async (count: Count): Promise<void> => {
    count.cancel?.();
    counts.delete(count.key);
    const entry = foldedEntry(count, now());
    if (entry === undefined) return;
    await write(entry)
      .catch(() => write(byNoUser(entry)))
      .catch(onLost);
  };
  return {
    async record(entry) {
      const all = countOf("all", ALL_MOST, "more refused requests of all users");
      // A full count takes no further keys, so that memory stays as bounded as the entries.
      if (isFull(all)) return fold(counts.get(sameKey(entry)) ?? all, entry);
      const actor = countOf(actorKey(entry), ACTOR_MOST, "more refused requests");
      if (isFull(actor)) return fold(counts.get(sameKey(entry)) ?? actor, entry);
      const same = countOf(sameKey(entry), SAME_MOST, "more of the same");
      if (isFull(same)) return fold(same, entry);
      for (const count of [all, actor, same]) count.single += 1;
      await write(entry);
    },
    counted: () =>
      [...counts.values()].flatMap(({ last, more }) =>
        last === undefined ? [] : [{ last, more }],
      ),
    async flush() {
      await Promise.all([...counts.values()].map(close));
    },
  };
}

interface Count {
  readonly key: string;
  readonly most: number;
  /** The entry's words for the refusals that it counts. */
  readonly of: string;
  readonly since: number;
  /** How many got entries of their own. */
  single: number;
  more: number;
  last: NewAuditEntry | undefined;
  cancel?: () => void;
}

function isFull({ single, most }: Count): boolean {
  return single >= most;
}

function fold(count: Count, entry: NewAuditEntry): void {
  count.more += 1;
  count.last = entry;
}

/** Returns undefined when nothing was only counted. */
function foldedEntry({ last, more, of, since }: Count, now: number): NewAuditEntry | undefined {
  if (last === undefined) return undefined;
  const minutes = Math.max(1, Math.ceil((now - since) / 60_000));
  const time = (ms: number) => new Date(ms).toISOString();
  return {
    ...last,
    why: `${last.why} … and ${more} ${of} in ${minutes} min`,
    after: { ...membersOf(last.after), more, since: time(since), until: time(now) },
  };
}

/** Drops the proof, as the session that proves the user may have ended meanwhile: then the entry names its user, among the accounts. */
function byNoUser({ proof: _, cluster, action, actor, ...entry }: NewAuditEntry): NewAuditEntry {
  const { id, name } = actor;
  const of = cluster === undefined ? {} : { cluster };
  return {
    ...entry,
    actor: { kind: "system", id: "nobody", name: "Nobody known" },
    action: "account.refused",
    after: { ...membersOf(entry.after), ...of, action, user: { id, name } },
  };
}

function membersOf(value: NewAuditEntry["after"]): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Where the name is unknown, only the address distinguishes one actor from another. */
function actorKey({ actor, client }: NewAuditEntry): string {
  const who = actor.kind === "system" ? `${actor.id} ${client?.address ?? ""}` : actor.id;
  return JSON.stringify(["actor", actor.kind, who]);
}

function sameKey(entry: NewAuditEntry): string {
  const { action, cluster, object, why, after } = entry;
  const { request, refusal, kind } = membersOf(after) as Readonly<Record<string, unknown>>;
  const what = [action, cluster, object?.kind, object?.namespace, object?.name, why];
  return JSON.stringify([actorKey(entry), what, request, refusal, kind]);
}

function laterUnref(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}
