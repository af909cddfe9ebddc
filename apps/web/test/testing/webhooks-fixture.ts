import { randomUUID } from "node:crypto";
import type { Rules } from "@cloudwright/core/model/notifications";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { connect, type Database } from "@cloudwright/store/database/database";
import type { NewMessage } from "@cloudwright/store/webhooks/deliveries";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { dashboardUrl } from "../../../../packages/store/testing/dashboard-url.ts";
import {
  startTestServer,
  type TestServer,
} from "../../../../packages/store/testing/database-fixture.ts";
import { CLUSTER, objectState } from "../../../../packages/store/testing/records.ts";
import { writeRecords } from "../../../../packages/store/testing/write-records.ts";
import type { SendOptions } from "../../src/server/webhooks/delivery.ts";
import { seal } from "../../src/server/webhooks/sealing.ts";
import { startSender } from "../../src/server/webhooks/sender.ts";
import { AUTH_SECRET } from "./auth-secret.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const PATIENT = { timeout: 60_000 };

let server: TestServer;
let url: string;
let webUrl: string;
let ends: AbortController[];
/** With the dashboard's own login, as its server has it. */
export let db: Database;
/** With the owner's login: for rows that the dashboard's own may not write. */
export let owner: Database;
export let receiver: Receiver;
/** The dashboard's clock. */
export const clock: {
  /** How far it is ahead. */
  ahead: number;
  /** The time at which it is stopped; undefined while it runs. */
  stoppedAt: number | undefined;
} = { ahead: 0, stoppedAt: undefined };

/** Gives each test of the file a database and a receiver of its own. */
export function withDatabaseAndReceiver(): void {
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    url = await server.migrated();
    webUrl = await dashboardUrl(url);
    const [own, owners] = [connect(webUrl), connect(url)];
    const receives = await startReceiver();
    [db, owner, receiver, ends] = [own, owners, receives, []];
    Object.assign(clock, { ahead: 0, stoppedAt: undefined });
    return async () => {
      for (const end of ends) end.abort();
      await receives.close();
      await own.close();
      await owners.close();
    };
  });
}

export const write = (...records: readonly LedgerRecord[]) => writeRecords(url, records);

export function sendOptions(over: Partial<SendOptions> = {}): SendOptions {
  return {
    ...{ authSecret: AUTH_SECRET, publicOrigin: "https://cloudwright.example.org" },
    ...{
      privateAllowed: true,
      now: () => clock.stoppedAt ?? Date.now() + clock.ahead,
      random: () => 0.5,
      ...over,
    },
  };
}

/** Starts a process of the dashboard that notifies webhooks; the returned controller ends it. */
export function startProcess(logged: string[] = []): AbortController {
  const end = new AbortController();
  ends.push(end);
  const log = {
    info: (text: string) => logged.push(text),
    warn: () => undefined,
  };
  startSender({
    ...sendOptions(),
    ...{ db, databaseUrl: webUrl, signal: end.signal, log, paceMs: 20 },
  });
  return end;
}

interface NewWebhook {
  readonly rules?: Rules;
  readonly ownerId?: string;
  readonly form?: string;
  readonly to?: string;
  readonly previous?: { readonly secret: string; readonly until: number };
}

export async function addWebhook(of: NewWebhook = {}): Promise<string> {
  const id = randomUUID();
  const { rules = { stuck: { afterMinutes: 5 } }, ownerId, form = "cloudwright", previous } = of;
  const at = new Date();
  await db.prisma.webhook.create({
    data: {
      ...{ id, name: "on call", form, origin: "http://127.0.0.1", rules, createdBy: "ana" },
      ...(ownerId === undefined ? { clusterId: CLUSTER } : { ownerId }),
      address: seal(of.to ?? receiver.url, AUTH_SECRET),
      secret: seal("whsec_new", AUTH_SECRET),
      previousSecret: previous === undefined ? null : seal(previous.secret, AUTH_SECRET),
      previousUntil: previous === undefined ? null : new Date(previous.until),
      ...{ createdAt: at, updatedAt: at },
    },
  });
  return id;
}

export function stuck(name: string, over: Partial<ObjectState> = {}): ObjectState {
  const at = over.at ?? Date.now();
  return objectState({
    ...{ name, at, state: "stuck", since: at - 14 * MINUTE, failures: 4 },
    reason: { code: "InstanceNotFound", provider: "Sandbox", by: "name", value: name },
    outcome: "failed",
    ...over,
  });
}

export const said = () => receiver.received.map(({ json }) => `${json.condition} ${json.phase}`);

export const expectSaid = (...messages: readonly string[]) =>
  expect.poll(said, PATIENT).toEqual(messages);

/** Waits until all created messages are settled. */
export const expectSettled = () =>
  expect
    .poll(() => db.prisma.webhookDelivery.count({ where: { state: "pending" } }), PATIENT)
    .toBe(0);

export function messageTo(webhookId: string): NewMessage {
  return {
    phase: "begins",
    ...{ webhookId, clusterId: CLUSTER, clusterName: "prod-eu", alarm: "a", condition: "stuck" },
    ...{ objectKind: "Node", objectName: "w-1", count: 1, sentence: "It is stuck.", path: "/c/x" },
    since: undefined,
  };
}
