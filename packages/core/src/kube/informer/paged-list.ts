import type { CallOptions, KubeClient, KubeObject, Target } from "../client.ts";
import { isKubeError } from "../errors.ts";

const PAGE_SIZE = 500;
const PAGE_TIMEOUT_MS = 60_000;

export interface WholeList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

export interface PagedListOptions<T> {
  readonly client: Pick<KubeClient, "list">;
  readonly target: Target;
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onHeard: () => void;
  /** Applied to each object as its page arrives, so that dropped fields are never held for the whole list. */
  readonly transform: (object: T) => T;
  /** Receives each page instead of the list, which is then empty; the next page is requested when this is done. */
  readonly onPage?: ((objects: readonly T[]) => Promise<void>) | undefined;
}

/**
 * Lists all objects, page by page. It sends no resourceVersion: the API server then answers with the newest state, so
 * that after a restart we never start from an older state than we had seen, and all pages show the same moment. If that
 * version expires before the last page, everything is requested at once; a caller that takes pages starts over.
 */
export async function listAll<T extends KubeObject>(
  options: PagedListOptions<T>,
): Promise<WholeList<T>> {
  try {
    return await listPages(options, { limit: String(PAGE_SIZE) });
  } catch (error) {
    if (!isKubeError(error) || error.code !== "Gone" || options.onPage !== undefined) throw error;
    return listPages(options, {});
  }
}

async function listPages<T extends KubeObject>(
  options: PagedListOptions<T>,
  paging: Readonly<Record<string, string>>,
): Promise<WholeList<T>> {
  const items: T[] = [];
  let next: string | undefined;
  for (;;) {
    const page = await options.client.list<T>(options.target, callOf(options, paging, next));
    options.onHeard();
    const kept = page.items.map((item) => options.transform(item));
    if (options.onPage !== undefined) await options.onPage(kept);
    else for (const item of kept) items.push(item);
    next = page.metadata.continue;
    if (next === undefined || next === "") {
      return { items, resourceVersion: page.metadata.resourceVersion };
    }
  }
}

function callOf<T>(
  { query, signal }: PagedListOptions<T>,
  paging: Readonly<Record<string, string>>,
  next: string | undefined,
): CallOptions {
  const more = next === undefined ? {} : { continue: next };
  return { query: { ...query, ...paging, ...more }, signal, timeoutMs: PAGE_TIMEOUT_MS };
}
