import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { speak } from "@cloudwright/core/model/language/text";
import { sessionProof, storedSessionToken } from "@cloudwright/store/users/session-proof";
import { afterAll, beforeAll, expect, it } from "vitest";
import { heartbeat, newId, objectState } from "../../../packages/store/testing/records.ts";
import { inLanguageOf, speakLanguages } from "../src/server/language/serve-languages.ts";
import { ledger } from "../src/server/ledger.ts";
import { appRouter } from "../src/server/root.ts";
import { type Context, createContext } from "../src/server/trpc.ts";
import { testDashboard } from "./testing/dashboard-server.ts";

const CLUSTER = "0a000000-0000-4000-8000-00000000000a";
const OWN = { id: "ana", name: "Ana", email: "ana@example.org", role: "admin" } as const;
const SESSION = { id: "own", token: "a token of the test" };

testDashboard([
  heartbeat({ cluster: CLUSTER, clusterName: "ours" }),
  objectState({ cluster: CLUSTER, name: "w-1" }),
]);
beforeAll(async () => {
  speakLanguages();
  await addUsers();
});
afterAll(() => speak({ language: "en", catalogOf: () => undefined }));

async function addUsers(): Promise<void> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = { id: SESSION.id, token: storedSessionToken(SESSION.token), expiresAt };
  await ledger().prisma.user.create({
    data: { ...OWN, emailVerified: true, sessions: { create: session } },
  });
}

type Case = readonly [procedure: string, input: object, french: string];

const OF = { cluster: CLUSTER };
const UNKNOWN = "01900000-0000-7000-8000-0000000000ff";
const PAGE = { ...OF, filter: {}, limit: 10 };
const NODE = { kind: "Node", name: "w-1", uid: "u-1" };
const HOLD = { kind: "hold", action: { kind: "hold", until: 1_000 }, object: NODE };
const REQUEST = { ...OF, controller: "cloud-node-controller", why: "tried" };

/** At least one refusal from each file that refuses requests. */
const REFUSED: readonly Case[] = [
  [
    "nodes.list",
    { ...PAGE, sort: { by: "name", descending: false }, cursor: "x" },
    "Le curseur de cette page est abîmé : repartez de la première page.",
  ],
  [
    "changes.list",
    {
      ...{ ...PAGE, filter: { from: 2_000, to: 1_000 } },
      sort: { by: "kind", descending: false },
    },
    "La première des deux heures doit précéder la seconde.",
  ],
  ["nodes.byName", { ...OF, name: "w-9" }, "Ici, aucun contrôleur ne s’est manifesté"],
  ["volumes.byName", { ...OF, name: "pv-9" }, "Ici, aucun contrôleur ne s’est manifesté"],
  [
    "balancers.byName",
    { ...OF, namespace: "shop", name: "web" },
    "Ici, aucun contrôleur ne s’est manifesté",
  ],
  ["routes.ofNode", { ...OF, name: "w-9" }, "Ici, aucun contrôleur ne s’est manifesté"],
  ["clusters.byId", { cluster: UNKNOWN }, "Aucun contrôleur ne s’est manifesté pour ce cluster."],
  ["runs.byId", { ...OF, id: UNKNOWN }, "Cette exécution n’existe pas dans ce cluster"],
  ["runs.events", { ...OF, id: UNKNOWN }, "Cette exécution n’existe pas dans ce cluster"],
  ["intents.byId", { ...OF, id: UNKNOWN }, "Cette action n’existe pas dans ce cluster."],
  ["intents.cancel", { ...OF, id: UNKNOWN }, "Cette action n’existe pas dans ce cluster."],
  ["intents.request", { ...REQUEST, ...HOLD, id: UNKNOWN }, "La fin choisie, 1970-01-01T00:00:01Z"],
  [
    "approvals.decide",
    { ...OF, id: UNKNOWN, decision: "decline", why: "tried" },
    "Cette action n’existe pas dans ce cluster.",
  ],
  [
    "approvals.setPolicy",
    { ...OF, required: true, why: "tried" },
    "Un seul admin a accès à ce cluster",
  ],
  [
    "comments.add",
    { ...OF, about: { kind: "run", id: UNKNOWN }, text: "tried" },
    "Cette exécution n’existe pas dans ce cluster",
  ],
  ["comments.withdraw", { ...OF, id: UNKNOWN }, "Ce commentaire n’existe pas dans ce cluster."],
  ["incidents.byId", { ...OF, id: UNKNOWN }, "Cet incident n’existe pas dans ce cluster"],
  ["incidents.share", { ...OF, about: { kind: "problem", id: "x" } }, "Ce problème n’existe plus"],
  ["savedViews.change", { id: UNKNOWN, name: "changed" }, "Cette vue n’existe plus."],
  ["webhooks.remove", { id: UNKNOWN }, "Ce webhook n’existe pas"],
  ["people.changeRole", { id: OWN.id, role: "viewer" }, "C’est le dernier admin"],
  [
    "people.setPassword",
    { id: OWN.id, current: "x" },
    "Seul un admin peut retirer un mot de passe",
  ],
  ["people.beginAuthenticator", { password: "x" }, "Vous n’avez pas de mot de passe"],
  ["sessions.revoke", { id: UNKNOWN }, "Cette session est déjà terminée."],
  ["tokens.revoke", { id: UNKNOWN }, "Ce jeton d’API a déjà été révoqué"],
  ["audit.verify", { cluster: UNKNOWN }, "Aucun contrôleur ne s’est manifesté pour ce cluster."],
];

it.each(REFUSED)("%s is refused in French", async (procedure, input, french) => {
  expect(await refusalOf(procedure, input)).toContain(french);
});

it("the record of a refusal is in English", async () => {
  await refusalOf("people.changeRole", { id: OWN.id, role: "viewer" });
  await refusalOf("intents.request", { ...REQUEST, ...HOLD, id: UNKNOWN });
  const entries = await ledger().prisma.auditEntry.findMany({
    where: { action: { in: ["account.change", "intent.request"] }, result: "refused" },
  });
  expect(entries.map(({ action, after }) => ({ action, after }))).toEqual(
    expect.arrayContaining([
      {
        action: "account.change",
        after: expect.objectContaining({
          refusal: expect.stringContaining("This is the last admin of all clusters"),
        }),
      },
      {
        action: "intent.request",
        after: expect.objectContaining({
          refusal: "The chosen end, 1970-01-01T00:00:01Z, has already passed: choose a later one.",
        }),
      },
    ]),
  );
});

it("each action of a batch says in French why it was refused", async () => {
  const batch = newId();
  const requests = [{ ...HOLD, id: newId(), controller: REQUEST.controller, why: "tried" }];
  const answers = await inFrench("intents.requestBatch", { ...OF, batch, requests });
  expect(answers).toMatchObject([
    { kind: "refused", why: expect.stringContaining("La fin choisie") },
  ]);
});

type Caller = Readonly<
  Record<string, Readonly<Record<string, (input: unknown) => Promise<unknown>>>>
>;

function inFrench(procedure: string, input: object): Promise<unknown> {
  const request = new IncomingMessage(new Socket());
  request.url = `/api/trpc/${procedure}`;
  request.headers["accept-language"] = "fr";
  const [group = "", name = ""] = procedure.split(".");
  return inLanguageOf(request, async () => {
    const caller = appRouter.createCaller(context()) as unknown as Caller;
    return await caller[group]?.[name]?.(input);
  });
}

function context(): Context {
  const viewer = { ...OWN, sessionId: SESSION.id, clusters: "all" } as const;
  const signedIn = { viewer, proof: sessionProof(SESSION) };
  const headers = new Headers({ origin: "http://127.0.0.1", host: "127.0.0.1" });
  return { ...createContext(headers), signedIn: () => Promise.resolve(signedIn) };
}

async function refusalOf(procedure: string, input: object): Promise<string> {
  try {
    return JSON.stringify(await inFrench(procedure, input));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
