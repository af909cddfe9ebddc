import type { NewAuditEntry } from "./audit-insert.ts";

export interface RefusalLog {
  /** Writes the entry down, or adds it to those that one entry will count. */
  record(entry: NewAuditEntry): Promise<void>;
  /** What is only counted so far: the last of each kind, and how many. */
  counted(): readonly { readonly last: NewAuditEntry; readonly more: number }[];
  /** Writes down at once what was only counted, as when the process ends. */
  flush(): Promise<void>;
}

export interface RefusalLogOptions {
  readonly write: (entry: NewAuditEntry) => Promise<void>;
  /** An entry about counted ones could not be written; the count is lost. */
  readonly onLost: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Calls back once, after that many milliseconds; the answer cancels it. */
  readonly later?: (ms: number, work: () => void) => () => void;
}

/** How long refusals are counted before one entry sums them up. */
export const FOLDED_FOR_MS = 10 * 60_000;
/** Of the same refusals of one actor so many have entries of their own in that time, */
export const SAME_MOST = 3;
/** of all refusals of one actor so many, */
export const ACTOR_MOST = 60;
/** and of everybody's so many. */
export const ALL_MOST = 300;

/**
 * Audit entries stay for good, and a refused request costs whoever sends it nothing. So only the first ones of a kind are
 * entries of their own; what follows within ten minutes is one entry, which says how many there were.
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
      // No further key is kept once it is full, so that what is counted stays as small as what is written.
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
  /** What the entry calls those that it counts. */
  readonly of: string;
  readonly since: number;
  /** How many have entries of their own. */
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

/** Undefined where nothing was only counted. */
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

/** By then the session that proves who it was may have ended: then the entry names its user, among the accounts. */
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

/** Where nobody knows the name, only the address distinguishes one from another. */
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
