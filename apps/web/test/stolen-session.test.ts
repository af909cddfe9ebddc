import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { heartbeat } from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import { signOutRequest } from "../src/server/sign-in/sign-out-request.ts";
import { type Browser, browser, formRequest, testDashboard } from "./testing/dashboard-server.ts";

const COOKIE = "cloudwright.session_token";
const HOUR = 3_600_000;

const dashboard = testDashboard([heartbeat()]);

const statusOf = async (one: Browser) => (await one.query("clusters.list")).status;
const rowOf = ({ userId }: Browser) =>
  ledger().prisma.session.findFirstOrThrow({ where: { userId } });

/** Returns a cookie signed as the dashboard does it: someone with the table may have the secret as well. */
function withToken(token: string): Browser {
  const secret = process.env.CLOUDWRIGHT_AUTH_SECRET ?? "";
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return browser(`${COOKIE}=${encodeURIComponent(`${token}.${signature}`)}`, "");
}

function tokenOf({ cookie = "" }: Browser): string {
  const value = cookie.split("; ").find((each) => each.startsWith(`${COOKIE}=`)) ?? "";
  return decodeURIComponent(value.slice(COOKIE.length + 1)).split(".")[0] ?? "";
}

test("a row of the sessions table signs nobody in, even with the secret that signs cookies", async () => {
  const ana = await dashboard.signedIn("admin");
  expect(await statusOf(ana)).toBe(200);
  expect(await statusOf(withToken(tokenOf(ana))), "a cookie made here as it should be").toBe(200);
  const row = await rowOf(ana);
  expect(JSON.stringify(row)).not.toContain(tokenOf(ana));
  expect(await statusOf(withToken(row.token))).toBe(401);
});

test("a renewed session stays hashed, and its cookie keeps working", async () => {
  const ana = await dashboard.signedIn("viewer");
  const { id, token } = await rowOf(ana);
  const soon = new Date(Date.now() + HOUR);
  await ledger().prisma.session.update({ where: { id }, data: { expiresAt: soon } });
  expect(await statusOf(ana)).toBe(200);
  const renewed = await rowOf(ana);
  expect(renewed.expiresAt.getTime()).toBeGreaterThan(soon.getTime() + HOUR);
  expect(renewed.token).toBe(token);
  expect(await statusOf(ana)).toBe(200);
});

test("signing out ends the session that its cookie names, and no other", async () => {
  const ana = await dashboard.signedIn("operator");
  const bo = await dashboard.signedIn("operator");
  await signOutRequest(formRequest("/sign-out", {}, { cookie: ana.cookie ?? "" }));
  expect(await statusOf(ana)).toBe(401);
  expect(await ledger().prisma.session.count({ where: { userId: ana.userId } })).toBe(0);
  expect(await statusOf(bo)).toBe(200);
});
