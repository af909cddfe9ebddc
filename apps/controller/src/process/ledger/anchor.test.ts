import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AuditCheckpoint } from "@cloudwright/core/model/audit/audit-checkpoint";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anchoredHeads, anchorKeeper, anchorPath } from "./anchor-file.ts";
import { signingKey, verifyingKey } from "./anchor-key.ts";

let dir: string;
let path: string;
let keyFile: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cloudwright-anchor-"));
  path = join(dir, "audit.anchor");
  keyFile = join(dir, "anchor.key");
});
afterEach(() => rmSync(dir, { recursive: true }));

function checkpoint(seq: number): AuditCheckpoint {
  return { at: 1_000 * seq, cluster: { seq, hash: seq.toString(16).padStart(64, "0"), at: seq } };
}

function keeper(cluster = "c1") {
  return anchorKeeper({ path, cluster, key: signingKey(keyFile) });
}

async function write(...numbers: readonly number[]): Promise<void> {
  for (const seq of numbers) await keeper().write(checkpoint(seq));
}

function lines(): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

const heads = () => anchoredHeads(path, verifyingKey(`${keyFile}.pub`));

describe("an anchor", () => {
  it("is appended to, and shows each checkpoint to a reader with the public key", async () => {
    expect(await keeper().read()).toBeUndefined();
    await write(1, 2, 3);
    expect(await keeper().read()).toEqual(checkpoint(3));
    const found = (await heads()).get("c1");
    expect(found?.map(({ seq, copy, place }) => [seq, copy, place])).toEqual(
      [1, 2, 3].map((seq) => [seq, "anchor", `file ${path}`]),
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (text: readonly string[]) => readonly string[], number]>([
    ["a changed line", ([a = "", ...rest]) => [a.replace('"seq":1', '"seq":9'), ...rest], 1],
    ["a line that was removed", ([a = "", _, c = ""]) => [a, c], 2],
    ["lines that were swapped", ([a = "", b = "", c = ""]) => [a, c, b], 2],
    ["a first line that was removed", (all) => all.slice(1), 1],
    ["what is no line of an anchor", (all) => [...all, "nonsense"], 4],
  ])("is broken by %s", async (_, edit, line) => {
    await write(1, 2, 3);
    writeFileSync(path, `${edit(lines()).join("\n")}\n`);
    await expect(heads()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`line ${line} of ${path} does not match its signature`),
    });
  });

  it("is not continued with another key or for another cluster", async () => {
    await write(1);
    await expect(keeper("c2").read()).rejects.toThrow(/was not signed with this key/);
    appendFileSync(path, "nonsense\n");
    await expect(keeper().read()).rejects.toThrow(/was not signed with this key/);
  });

  it.each(["s3://bucket/object", "/var/audit", "file://host/audit"])("is no %s", (address) => {
    expect(() => anchorPath("--audit-anchor", address)).toThrow(/give a file, such as file:/);
  });

  it("is given by its address", () => {
    expect(anchorPath("--audit-anchor", pathToFileURL(path).toString())).toBe(path);
  });
});

describe("the key of an anchor", () => {
  it("is created once, readable only by its owner", () => {
    const pem = signingKey(keyFile).export({ type: "pkcs8", format: "pem" });
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(signingKey(keyFile).export({ type: "pkcs8", format: "pem" })).toBe(pem);
  });

  it("is refused if others may read it, and if it is not a key", () => {
    signingKey(keyFile);
    chmodSync(keyFile, 0o640);
    expect(() => signingKey(keyFile)).toThrow(/can be read by others: run chmod 600/);
    writeFileSync(keyFile, "nonsense");
    chmodSync(keyFile, 0o600);
    expect(() => signingKey(keyFile)).toThrow(/cannot be used/);
  });
});
