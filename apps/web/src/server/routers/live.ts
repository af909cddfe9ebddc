import { t } from "@cloudwright/core/model/language/text";
import { TOPICS, type Topic } from "@cloudwright/store/database/topics";
import { storableText } from "@cloudwright/store/text/storable-text";
import { mayReach } from "@cloudwright/store/users/cluster-access";
import { TRPCError, tracked } from "@trpc/server";
import { LIMITS } from "../edge/limits.ts";
import { changesOf, watchSession } from "../live/changes.ts";
import { liveFeed } from "../live/live-feed.ts";
import { processWide } from "../process-wide.ts";
import { shutdown } from "../shutdown.ts";
import { viewerOf } from "../sign-in/viewer.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

const PAUSE_MS = 250;

export interface LiveChange {
  /** What the page should refetch. */
  readonly topics: readonly Topic[];
}

const inputSchema = clusterInput.extend({ lastEventId: storableText(200).nullish() });

export const liveRouter = router({
  /**
   * Publishes what has changed, at most four times a second. It starts with all topics, because a page that connects, for the first time or
   * again, cannot know what it missed.
   */
  changes: viewerProcedure.input(inputSchema).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const slot = processWide("stream-slots", streamSlots).take(ctx.viewer.sessionId);
    if ("refused" in slot) {
      throw new TRPCError({ code: "TOO_MANY_REQUESTS", message: slot.refused });
    }
    signal?.addEventListener("abort", slot.release, { once: true });
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
      isSignedIn: async () => {
        const viewer = await viewerOf(ctx.headers);
        return viewer !== undefined && mayReach(viewer.clusters, input.cluster);
      },
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
      slot.release();
    }
    // Returning would tell the page that the stream is complete; an error makes it reconnect.
    throw new TRPCError({
      code: "SERVICE_UNAVAILABLE",
      message: t`The dashboard's server is shutting down.`,
    });
  }),
});

function change(sequence: number, topics: readonly Topic[]) {
  return tracked(String(sequence), { topics } satisfies LiveChange);
}

function signedOut(): TRPCError {
  return new TRPCError({ code: "UNAUTHORIZED", message: t`Your session has ended.` });
}

interface StreamSlots {
  /** Takes a slot for a stream of this session, until `release` is called; or says why there is none. */
  take(session: string): { readonly release: () => void } | { readonly refused: string };
}

const MOST = { session: LIMITS.streamsOfSession, all: LIMITS.streams };

/** Limits the open change streams, so that nobody exhausts the memory and sockets of all. */
export function streamSlots(most: { readonly session: number; readonly all: number } = MOST) {
  const open = new Map<string, number>();
  let all = 0;
  return {
    take(session) {
      const mine = open.get(session) ?? 0;
      if (mine >= most.session) return { refused: tooManyOfSession(most.session) };
      if (all >= most.all) return { refused: tooMany(most.all) };
      open.set(session, mine + 1);
      all += 1;
      let isOpen = true;
      const release = () => {
        if (!isOpen) return;
        isOpen = false;
        all -= 1;
        const left = (open.get(session) ?? 1) - 1;
        if (left === 0) open.delete(session);
        else open.set(session, left);
      };
      return { release };
    },
  } satisfies StreamSlots;
}

function tooManyOfSession(pages: number): string {
  return t`Live updates are open on ${pages} pages of this session, which is the limit: close some of them. This page still shows what it has loaded.`;
}

function tooMany(pages: number): string {
  return t`Live updates are open on ${pages} pages, which is the limit: close some of them. This page still shows what it has loaded.`;
}
