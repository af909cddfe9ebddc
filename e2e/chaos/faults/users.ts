import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { demand, eventually } from "../../harness/wait.ts";
import type { Environment } from "../environment.ts";

export type Role = "viewer" | "operator" | "admin";

/** What a user asks for, as the dashboard's API takes it. */
export interface Action {
  readonly role: Role;
  readonly kind: string;
  readonly controller: string;
  readonly object: {
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly action: { readonly kind: string; readonly until?: number };
  /** What has to be typed. */
  readonly confirmation?: string;
}

/** What came of it, as its page shows it. */
export interface Intent {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly why: string;
  readonly actor: string;
  readonly result?: string;
  readonly preview?: { readonly planHash: string };
}

export interface Asked {
  readonly action: Action;
  readonly id: string;
}

/** A dashboard with one person of each role who is signed in. */
export interface Users {
  /** Asks for it as a dialog does that shows the plan first; answers once the dashboard has taken it. */
  ask(action: Action, planHash?: string): Promise<Asked>;
  /** Looks at the plan, and answers its hash. */
  preview(action: Action): Promise<string>;
  /** Waits until it has ended. */
  end(asked: Asked): Promise<Intent>;
}

const ENDED = new Set(["verified", "failed", "rejected", "expired", "cancelled"]);
const MOST_MS = 60_000;
const A_MOMENT_MS = 3_000;

export async function openUsers({ kube, database, dir, after }: Environment): Promise<Users> {
  const dashboard = await startDashboard(database.webUrl, dir);
  after(() => dashboard.stop());
  const sessions = {
    viewer: await dashboard.signIn("viewer"),
    operator: await dashboard.signIn("operator"),
    admin: await dashboard.signIn("admin"),
  };
  const cluster = (await kube.get("/api/v1/namespaces/kube-system")).metadata.uid ?? "";
  const ask: Users["ask"] = async (action, planHash) => {
    const id = randomUUID();
    const { role, ...wanted } = action;
    const input = { id, cluster, why: whyOf(id), ...wanted, planHash };
    await post(dashboard, sessions[role], input);
    return { action, id };
  };
  const end: Users["end"] = ({ action, id }) =>
    eventually(
      async () => {
        const session = sessions[action.role];
        const intent = await dashboard.query<Intent>(session, "intents.byId", { cluster, id });
        demand(ENDED.has(intent.state), `the ${action.kind} ${id} is ${intent.state}`);
        return intent;
      },
      { withinMs: MOST_MS },
    );
  const preview: Users["preview"] = async ({ confirmation: _, ...action }) => {
    const { state, result, preview } = await end(await ask({ ...action, kind: "preview" }));
    const planHash = preview?.planHash;
    if (state !== "verified" || planHash === undefined)
      throw new Error(`the preview of a ${action.action.kind} is ${state}: ${result}`);
    return planHash;
  };
  return { ask, preview, end };
}

/** A reason that nobody else gives. */
export function whyOf(id: string): string {
  return `chaos ${id}`;
}

/** Who has asked for too much within a minute waits, as the dashboard says, and asks again. */
async function post(dashboard: Dashboard, session: string, input: object): Promise<void> {
  const body = { type: "json", text: JSON.stringify({ json: input }) } as const;
  const { status, text } = await eventually(
    async () => {
      const reply = await dashboard.send("/api/trpc/intents.request", { session, body });
      demand(reply.status !== 429, `the dashboard answers: ${reply.text.slice(0, 500)}`);
      return reply;
    },
    { withinMs: 2 * MOST_MS, on: { changed: () => wait(A_MOMENT_MS) } },
  );
  if (status !== 200) throw new Error(`the dashboard answered ${status}: ${text.slice(0, 500)}`);
}
