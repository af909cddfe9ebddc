"use client";

const OF_MESSAGES = 'script[src^="/messages/"]';
const CHUNK = /\/_next\/static\/chunks\/(?:[^?#]*\/)?([^/?#]+)\.js(?:[?#]|$)/;

/**
 * A page in another language than English loads the messages of its first scripts by the first script of all. Which ones those were
 * stands in its address, and which scripts have come since stands in the document: what is missing is what is between the two.
 */
const byChunk = new Map<string, Promise<void>>();
let hasAll = false;

/** Fetches a part of the page together with its messages. */
export async function withMessages<Part>(load: () => Promise<Part>): Promise<Part> {
  const loading = load();
  // Its scripts mostly stand in the document at once, so that their messages come beside them and not after them.
  const [part] = await Promise.all([loading, messagesOfScripts()]);
  await messagesOfScripts();
  return part;
}

/**
 * The messages of other pages than the first, and undefined once they are there. They may be waited for while something is drawn: it is
 * the same promise for the same path, and it never fails, because a page in English is better than none.
 */
export function messagesFor(path: string): Promise<void> | undefined {
  if (lacking() === undefined) return undefined;
  const kept = byPath.get(path);
  if (kept !== undefined) return kept;
  const coming = allMessages().catch(() => undefined);
  byPath.set(path, coming);
  return coming;
}

const byPath = new Map<string, Promise<void>>();

/** Fetches them ahead, as a hand that goes to a link says that they will be wanted. */
export function expectMessages(): void {
  if (lacking() !== undefined) allMessages().catch(() => undefined);
}

let all: Promise<void> | undefined;

function allMessages(): Promise<void> {
  all ??= run({})
    .then(() => {
      hasAll = true;
    })
    .finally(() => {
      all = undefined;
    });
  return all;
}

async function messagesOfScripts(): Promise<void> {
  const named = lacking();
  if (named === undefined) return;
  const missing = chunksHere().filter((chunk) => !named.has(chunk) && !byChunk.has(chunk));
  if (missing.length > 0) {
    const coming = run({ chunks: missing.join(",") });
    for (const chunk of missing) byChunk.set(chunk, coming);
    coming.catch(() => {
      for (const chunk of missing) byChunk.delete(chunk);
    });
  }
  await Promise.all(byChunk.values());
}

/** The scripts whose messages came first; undefined where no messages are missing, as in English. */
function lacking(): ReadonlySet<string> | undefined {
  const first = hasAll ? undefined : firstAddress();
  const chunks = first?.searchParams.get("chunks") ?? undefined;
  return chunks === undefined ? undefined : new Set(chunks.split(","));
}

function firstAddress(): URL | undefined {
  const script = document.querySelector<HTMLScriptElement>(OF_MESSAGES);
  return script === null ? undefined : new URL(script.src);
}

function chunksHere(): readonly string[] {
  return Array.from(document.scripts, ({ src }) => CHUNK.exec(src)?.[1]).filter(
    (name) => name !== undefined,
  );
}

/** Runs a script of messages from the address of the first one, with other chunks. */
function run({ chunks }: { readonly chunks?: string }): Promise<void> {
  const address = firstAddress();
  if (address === undefined) return Promise.resolve();
  if (chunks === undefined) address.searchParams.delete("chunks");
  else address.searchParams.set("chunks", chunks);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address.href;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error("The messages of this language could not be fetched."));
    };
    document.head.append(script);
  });
}
