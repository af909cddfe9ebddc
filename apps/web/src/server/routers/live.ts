import { TOPICS, type Topic } from "@cloudwright/store/topics";
import { TRPCError, tracked } from "@trpc/server";
import { z } from "zod";
import { changesOf } from "../changes.ts";
import { liveFeed } from "../live-feed.ts";
import { watchSession } from "../session-watch.ts";
import { shutdown } from "../shutdown.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { viewerOf } from "../viewer.ts";

const PAUSE_MS = 250;

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
    const feed = liveFeed();
    const changes = changesOf({
      feed,
      cluster: input.cluster,
      signal: AbortSignal.any(ends),
      pauseMs: PAUSE_MS,
    });
    let sequence = Number(input.lastEventId ?? 0) || 0;
    const session = watchSession({
      feed,
      isSignedIn: async () => (await viewerOf(ctx.headers)) !== undefined,
      now: Date.now,
    });
    try {
      yield change(++sequence, TOPICS);
      for await (const topics of changes) {
        if (await session.hasEnded()) throw signedOut();
        yield change(++sequence, topics);
      }
    } finally {
      session.stop();
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
