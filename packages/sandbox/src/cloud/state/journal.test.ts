import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Announced, announcementOf, startCloudProcess } from "../testing/cloud-process.ts";
import { openJournal } from "./journal.ts";

const FORMAT = "test 1";
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "journal-"));
  file = join(folder, "state.jsonl");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens a journal whose state is the list of all records. */
async function open(path = file) {
  const records: unknown[] = [];
  const journal = await openJournal({
    file: path,
    format: FORMAT,
    replay: (record) => records.push(record),
    snapshot: () => [...records],
  });
  const append = (record: unknown) => {
    records.push(record);
    return journal.append(record);
  };
  return { records, append, close: () => journal.close() };
}

describe("a journal", () => {
  it("replays every confirmed record in order", async () => {
    const first = await open();
    await Promise.all([1, 2, 3].map((n) => first.append({ n })));
    await first.append({ n: 4 });
    await first.close();
    const second = await open();
    expect(second.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await second.close();
  });

  it("ignores a last line that was cut off at any byte", async () => {
    const journal = await open();
    await journal.append({ n: 1 });
    await journal.append({ text: "ä line to cut" });
    await journal.close();
    const whole = await readFile(file);
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let length = lastLine; length < whole.length; length += 1) {
      const cut = join(folder, `cut-${length}`);
      await writeFile(cut, whole.toString("latin1").slice(0, length), "latin1");
      const opened = await open(cut);
      expect(opened.records).toEqual([{ n: 1 }]);
      await opened.append({ n: 2 });
      await opened.close();
      const again = await open(cut);
      expect(again.records).toEqual([{ n: 1 }, { n: 2 }]);
      await again.close();
    }
  });

  it("leaves a file that is not its own alone", async () => {
    await writeFile(file, "name,age\nx,1\n");
    await expect(open()).rejects.toThrow(/is not a state file/);
    expect(await readFile(file, "utf8")).toBe("name,age\nx,1\n");
  });

  it("takes an empty file for a new one", async () => {
    await writeFile(file, "");
    const journal = await open();
    expect(journal.records).toEqual([]);
    await journal.close();
  });

  it("names the line that is damaged and leaves the file alone", async () => {
    const text = `{"format":"${FORMAT}"}\n{"n":1}\n{"n":\n{"n":3}\n`;
    await writeFile(file, text);
    await expect(open()).rejects.toThrow(/damaged in line 3/);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("does not grow forever and is readable only by its owner", async () => {
    let counter = 0;
    const journal = await openJournal({
      file,
      format: FORMAT,
      replay: () => undefined,
      snapshot: () => [{ counter }],
    });
    for (let round = 0; round < 60; round += 1) {
      counter += 100;
      await Promise.all(Array.from({ length: 100 }, () => journal.append({ counter })));
    }
    await journal.close();
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines.length).toBeLessThan(2_100);
    expect(lines.at(-1)).toBe(JSON.stringify({ counter }));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("does not grow forever with a few large records", async () => {
    const large = "x".repeat(1024 * 1024);
    const journal = await openJournal({
      file,
      format: FORMAT,
      replay: () => undefined,
      snapshot: () => [{ large }, { large: "the last one" }],
    });
    for (let round = 0; round < 40; round += 1) {
      await journal.append({ large });
    }
    await journal.close();
    expect((await stat(file)).size).toBeLessThan(34 * large.length);
    expect(await readFile(file, "utf8")).toContain("the last one");
  });

  it("refuses records once it is closed", async () => {
    const journal = await open();
    await journal.close();
    await expect(journal.append({})).rejects.toThrow(/is closed/);
  });
});

describe("a cloud that is killed while it writes", () => {
  it("has every machine that it confirmed, and starts again at once", async () => {
    for (let round = 0; round < 3; round += 1) {
      const child = startCloudProcess(file);
      const { endpoint, token } = await announcementOf(child);
      const confirmed = await createUntilKilled(child, { endpoint, token });
      const again = startCloudProcess(file);
      const revived = await announcementOf(again);
      const present = await allIds(revived);
      expect(present).toEqual(expect.arrayContaining(confirmed));
      again.kill("SIGTERM");
      expect(await once(again, "exit")).toEqual([0, null]);
    }
  });
});

const KILL_AFTER = 150;

async function createUntilKilled(child: ChildProcess, cloud: Announced): Promise<string[]> {
  const confirmed: string[] = [];
  const createForEver = async () => {
    while (child.exitCode === null && child.signalCode === null) {
      const response = await fetch(`${cloud.endpoint}/v1/instances`, {
        method: "POST",
        headers: { authorization: `Bearer ${cloud.token}` },
        body: JSON.stringify({ name: "n" }),
      });
      const { id }: { id: string } = JSON.parse(await response.text());
      confirmed.push(id);
      if (confirmed.length === KILL_AFTER) {
        child.kill("SIGKILL");
      }
    }
  };
  await Promise.allSettled(Array.from({ length: 8 }, createForEver));
  expect(child.signalCode ?? (await once(child, "exit"))[1]).toBe("SIGKILL");
  expect(confirmed.length).toBeGreaterThanOrEqual(KILL_AFTER);
  return confirmed;
}

async function allIds({ endpoint, token }: Announced): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const cursor: string = next === "" ? "" : `?cursor=${next}`;
    const response = await fetch(`${endpoint}/v1/instances${cursor}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page: { items: { id: string }[]; next: string | null } = JSON.parse(
      await response.text(),
    );
    ids.push(...page.items.map(({ id }) => id));
    next = page.next;
  }
  return ids;
}
