import { TOPICS, type Topic } from "@cloudwright/store/topics";
import { TRPCError, tracked } from "@trpc/server";
import { z } from "zod";
import { changesOf } from "../changes.ts";
import { liveFeed } from "../live-feed.ts";
import { shutdown } from "../shutdown.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { viewerOf } from "../viewer.ts";

const PAUSE_MS = 250;
/** A session that was ended hears of changes for so long at most; what has changed it could not ask for any more. */
const SESSION_CHECK_MS = 5_000;

export interface LiveChange {
  /** What the page should ask for again. */
  readonly topics: readonly Topic[];
}

const inputSchema = z.object({ cluster: z.string(), lastEventId: z.string().nullish() });

export const liveRouter = router({
  /**
   * Says what has changed, at most four times a second. It begins with every topic, because a page that connects, again or for
   * the first time, cannot know what it missed.
   */
  changes: viewerProcedure.input(inputSchema).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const over = new AbortController();
    const ends = [over.signal, shutdown().signal, ...(signal === undefined ? [] : [signal])];
    const changes = changesOf({
      feed: liveFeed(),
      cluster: input.cluster,
      signal: AbortSignal.any(ends),
      pauseMs: PAUSE_MS,
    });
    let sequence = Number(input.lastEventId ?? 0) || 0;
    let checkedAt = Date.now();
    try {
      yield change(++sequence, TOPICS);
      for await (const topics of changes) {
        if (Date.now() - checkedAt > SESSION_CHECK_MS) {
          checkedAt = Date.now();
          if ((await viewerOf(ctx.headers)) === undefined) throw signedOut();
        }
        yield change(++sequence, topics);
      }
    } finally {
      over.abort();
    }
    // Returning would tell the page that all is said and done; an error makes it connect again.
    throw new TRPCError({
      code: "SERVICE_UNAVAILABLE",
      message: "The dashboard's server is ending.",
    });
  }),
});

function change(sequence: number, topics: readonly Topic[]) {
  return tracked(String(sequence), { topics } satisfies LiveChange);
}

function signedOut(): TRPCError {
  return new TRPCError({ code: "UNAUTHORIZED", message: "Your session has ended." });
}
