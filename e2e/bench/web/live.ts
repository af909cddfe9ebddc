import type { Dashboard } from "../../harness/dashboard.ts";
import { queryPath } from "../../harness/dashboard.ts";
import { CLUSTER, touchFleet } from "../fleet-rows.ts";

/** Milliseconds from a change in the ledger until the last client has received the list with it. */
export const AIM_OF_CHANGE_MS = 1_000;

const CLIENTS = 50;
/** The dashboard's edge limits the streams of one session. */
const OF_ONE_SESSION = 5;

export interface Change {
  readonly clients: number;
  /** Milliseconds until the first and the last of them had read the list again. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Measures this many clients with the Nodes list: each is notified by its stream and reads its list again, as the pages do. */
export async function measureChange(
  dashboard: Dashboard,
  databaseUrl: string,
  signIn: (number: number) => Promise<string>,
): Promise<Change> {
  const sessions: string[] = [];
  for (let number = 0; number < CLIENTS / OF_ONE_SESSION; number += 1)
    sessions.push(await signIn(number));
  const end = new AbortController();
  try {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) =>
        openClient(dashboard, sessions[number % sessions.length] ?? "", end.signal),
      ),
    );
    const changed = performance.now();
    const waiting = clients.map(async (client) => {
      await client.change();
      return performance.now() - changed;
    });
    await touchFleet(databaseUrl, 500);
    const times = (await Promise.all(waiting)).toSorted((left, right) => left - right);
    return { clients: CLIENTS, firstMs: times[0] ?? 0, lastMs: times.at(-1) ?? 0 };
  } finally {
    end.abort();
  }
}

const LIST = {
  cluster: CLUSTER,
  filter: {},
  sort: { by: "state", descending: false },
  ...{ limit: 200, first: 60 },
};

/** Opens a client and waits for the first message of its stream. */
async function openClient(dashboard: Dashboard, session: string, signal: AbortSignal) {
  const path = queryPath("live.changes", { cluster: CLUSTER });
  const answer = await fetch(dashboard.origin + path, { headers: { cookie: session }, signal });
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`the stream of changes answered ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const untilTopics = async () => {
    for (let text = ""; !text.includes('"nodes"'); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the stream of changes ended");
      text += value;
    }
  };
  await untilTopics();
  return {
    /** Resolves once the next change was reported and the list was read. */
    change: async () => {
      await untilTopics();
      await dashboard.query(session, "nodes.list", LIST);
    },
  };
}
