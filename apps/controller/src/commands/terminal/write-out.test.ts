import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runOtherCommand } from "../program.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-out-"));
  writeFileSync(join(folder, "file"), "");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    ["permissions", "--directory"],
    /^--directory cannot be written \(EEXIST: .*\): name a directory/,
  ],
  [
    ["webhook", "certificates", "--out"],
    /^--out cannot be written \(EEXIST: .*\): name a directory/,
  ],
])("%j says in one sentence that a file is no folder", async (args, sentence) => {
  const written = runOtherCommand([...args, join(folder, "file")]);
  await expect(written).rejects.toMatchObject({ name: "PlainError" });
  await expect(written).rejects.toThrow(sentence);
});
