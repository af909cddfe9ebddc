import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { auditEntry, runStart } from "../../testing/records.ts";
import { LONGEST_LINE_BYTES } from "../spool/decode-lines.ts";
import { encodeFrame, joinBytes } from "../spool/frame.ts";
import { drainThread } from "./drain-thread.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

function start(databaseUrl: string) {
  const thread = drainThread(databaseUrl);
  onTestFinished(() => thread.end());
  return thread;
}

test("reports what it wrote, what it left out and which runs are open", async () => {
  const thread = start(await server.migrated());
  const open = runStart();
  const lines = joinBytes([
    encodeFrame(open),
    encodeFrame({ ...open, type: "run.end", id: "known" }),
    encodeFrame(auditEntry()),
    encodeFrame({ type: "unheard of" }),
    new TextEncoder().encode("deadbeef torn\n"),
  ]);
  expect(await thread.write(lines, ["known"])).toMatchObject({
    records: 2,
    refused: [expect.any(String), expect.any(String)],
    contents: { opened: [{ id: open.id }], ended: ["known"], damaged: 1 },
  });
});

test("fails with what the database said, and goes on with the next request", async () => {
  const thread = start(await server.empty());
  const lines = encodeFrame(auditEntry());
  await expect(thread.write(lines, [])).rejects.toMatchObject({ failure: { kind: "schema" } });
  await expect(thread.write(lines, [])).rejects.toMatchObject({ failure: { kind: "schema" } });
});

test("leaves out a record that would not fit into its heap, and writes the others", async () => {
  const thread = start(await server.migrated());
  const huge = encodeFrame({ type: "audit", after: Array.from({ length: 3_000_000 }, () => ({})) });
  const lines = joinBytes([encodeFrame(auditEntry()), huge, encodeFrame(auditEntry())]);
  expect(await thread.write(lines, [])).toMatchObject({
    records: 2,
    refused: [expect.stringContaining("bytes is too long")],
    contents: { damaged: 0 },
  });
});

test("has room for the longest record that it reads, however many objects that holds", async () => {
  const thread = start(await server.migrated());
  const objects = Math.floor((LONGEST_LINE_BYTES - 4_096) / "{},".length);
  const after = Array.from({ length: objects }, () => ({}));
  const longest = encodeFrame({ ...auditEntry(), after });
  expect(await thread.write(longest, [])).toMatchObject({ records: 1, refused: [] });
});

test("starts again with the next request after it has ended", async () => {
  const thread = start(await server.migrated());
  expect(await thread.write(encodeFrame(auditEntry()), [])).toMatchObject({ records: 1 });
  await thread.end();
  expect(await thread.write(encodeFrame(auditEntry()), [])).toMatchObject({ records: 1 });
});

test("ends in the middle of a request, which then fails", async () => {
  const thread = start("postgres://postgres@192.0.2.1:5432/none");
  const waiting = thread.write(encodeFrame(auditEntry()), []);
  await thread.end();
  await expect(waiting).rejects.toMatchObject({ failure: { kind: "away" } });
});
