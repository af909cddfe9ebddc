/** A key that waits for work, now or later. */
export interface QueueEntry<Why> {
  readonly key: string;
  readonly sequence: number;
  why: Why;
  rank: number;
  dueAt: number;
}

/** Orders what is due: by priority, then by how long it has been due. */
export function dueFirst<Why>(left: QueueEntry<Why>, right: QueueEntry<Why>): boolean {
  if (left.rank !== right.rank) return left.rank < right.rank;
  return earlierFirst(left, right);
}

export function earlierFirst<Why>(left: QueueEntry<Why>, right: QueueEntry<Why>): boolean {
  if (left.dueAt !== right.dueAt) return left.dueAt < right.dueAt;
  return left.sequence < right.sequence;
}

export function isDue<Why>(
  entry: QueueEntry<Why> | undefined,
  now: number,
): entry is QueueEntry<Why> {
  return entry !== undefined && entry.dueAt <= now;
}
