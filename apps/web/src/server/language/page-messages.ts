import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/mini";
import { processWide } from "../process-wide.ts";

/** As scripts/messages/page-messages.mjs writes it when the dashboard has been built. */
const schema = z.object({
  texts: z.array(z.string()),
  chunks: z.record(z.string(), z.array(z.int())),
  pages: z.record(z.string(), z.array(z.string())),
});
type PageMessages = z.infer<typeof schema>;

/** The scripts that the page of this path loads at first; undefined where that is not known. */
export function chunksOfPage(
  path: string,
  known: PageMessages | undefined = pageMessages(),
): readonly string[] | undefined {
  const matching = Object.entries(known?.pages ?? {}).filter(([page]) => isOf(page, path));
  if (matching.length === 0) return known?.pages["/_not-found"];
  return [...new Set(matching.flatMap(([, chunks]) => chunks))];
}

/** The messages of these scripts; of all that browsers load if none is named, or one that is not of this build. */
export function textsOf(
  chunks: readonly string[] | undefined,
  known: PageMessages | undefined = pageMessages(),
): readonly string[] | undefined {
  if (known === undefined || chunks === undefined) return known?.texts;
  const indexes = chunks.flatMap((chunk) =>
    Object.hasOwn(known.chunks, chunk) ? known.chunks[chunk] : [undefined],
  );
  if (indexes.includes(undefined)) return known.texts;
  const wanted = new Set(indexes);
  return known.texts.filter((_, index) => wanted.has(index));
}

/** Undefined of a server that set-up has not built, which sends everything. */
function pageMessages(): PageMessages | undefined {
  return processWide("page-messages", () => ({ read: readPageMessages() })).read;
}

function readPageMessages(): PageMessages | undefined {
  if (process.env.NODE_ENV !== "production") return undefined;
  const path = join(/* turbopackIgnore: true */ process.cwd(), ".next", "page-messages.json");
  if (!existsSync(path)) return undefined;
  return schema.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** Whether `/c/[cluster]/objects/[kind]/[...name]` is the page of a path. */
function isOf(page: string, path: string): boolean {
  const segments = page.split("/").map((segment) => {
    if (segment.startsWith("[...")) return ".+";
    return segment.startsWith("[") ? "[^/]+" : segment;
  });
  return new RegExp(`^${segments.join("/")}/?$`).test(path);
}
