export interface RequestIds {
  of(request: string): string;
  /** What was asked for is over, and asking for it once more is a new action. */
  renew(): void;
}

/** One id for one request: pressing twice, or again after a lost answer, asks once. */
export function requestIds(create: () => string): RequestIds {
  const ids = new Map<string, string>();
  return {
    of: (request) => {
      const id = ids.get(request) ?? create();
      ids.set(request, id);
      return id;
    },
    renew: () => ids.clear(),
  };
}
