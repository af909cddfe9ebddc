import type { Page, Request } from "@playwright/test";

export interface Chunk {
  readonly name: string;
  /** Bytes on the wire, compressed as the server sends them. */
  readonly bytes: number;
}

export interface FirstLoad {
  /** Returns the scripts that were loaded, the largest first. */
  scripts(): Promise<readonly Chunk[]>;
  /** Reports whether every requested script has arrived, and none was requested since the last call. */
  isSettled(): boolean;
  /** Paths of prefetched pages, in the order of the requests. */
  prefetches(): readonly string[];
}

/** Records what a page loads from now on. */
export function watchLoad(page: Page): FirstLoad {
  const scripts: Request[] = [];
  const prefetches: string[] = [];
  let requested = 0;
  let lastSeen = -1;
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "script") scripts.push(request);
  });
  page.on("request", (request) => {
    if (request.resourceType() === "script") requested += 1;
    if (request.headers()["next-router-prefetch"] !== undefined)
      prefetches.push(new URL(request.url()).pathname);
  });
  return {
    scripts: async () => {
      const chunks = await Promise.all(scripts.map(chunkOf));
      return chunks.toSorted((left, right) => right.bytes - left.bytes);
    },
    isSettled: () => {
      const isSettled = requested === scripts.length && requested === lastSeen;
      lastSeen = requested;
      return isSettled;
    },
    prefetches: () => prefetches,
  };
}

export function total(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Formats one line per chunk, and the sum. */
export function chunkTable(title: string, chunks: readonly Chunk[]): string {
  const lines = chunks.map(({ name, bytes }) => `${String(bytes).padStart(9)}  ${name}`);
  return [title, ...lines, `${String(total(chunks)).padStart(9)}  sum`].join("\n");
}

async function chunkOf(request: Request): Promise<Chunk> {
  const { responseBodySize } = await request.sizes();
  return { name: new URL(request.url()).pathname.split("/").at(-1) ?? "", bytes: responseBodySize };
}
