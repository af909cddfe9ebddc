import { LIMITS } from "./limits.ts";

export interface StreamSlots {
  /** Takes a slot for a stream of this session, until the answer is called; or says why there is none. */
  take(session: string): { readonly release: () => void } | { readonly refused: string };
}

const MOST = { session: LIMITS.streamsOfSession, all: LIMITS.streams };

/** How many streams of changes are open, so that nobody takes the memory and the sockets of all. */
export function streamSlots(most: { readonly session: number; readonly all: number } = MOST) {
  const open = new Map<string, number>();
  let all = 0;
  return {
    take(session) {
      const mine = open.get(session) ?? 0;
      if (mine >= most.session)
        return { refused: tooMany(`${most.session} pages of this session`) };
      if (all >= most.all) return { refused: tooMany(`${most.all} pages`) };
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

function tooMany(pages: string): string {
  return `Live updates are open on ${pages}, which is the limit: close some of them. This page still shows what it loads.`;
}
