import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Account, mayEnter } from "./account.ts";
import { reachableCopy } from "./binaries.ts";

const foreign: Account = { name: "stranger", uid: 4_242, gid: 4_242 };
let folder: string;
let native: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "binaries-"));
  await chmod(folder, 0o755);
  native = join(folder, "home", "native");
  await mkdir(join(native, "bin"), { recursive: true });
  await writeFile(join(native, "bin", "postgres"), "#!/bin/sh\n");
  await chmod(join(native, "bin", "postgres"), 0o755);
  await symlink("postgres", join(native, "bin", "link"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("entering a folder", () => {
  it.each([
    [0o755, true],
    [0o711, true],
    [0o750, false],
    [0o700, false],
  ])("of mode %o in between is %s for a stranger", async (mode, may) => {
    await chmod(join(folder, "home"), mode);
    expect(await mayEnter(native, foreign)).toBe(may);
  });

  it("counts owner and group by their own rights", async () => {
    const home = join(folder, "home");
    await chmod(home, 0o710);
    const { uid, gid } = await stat(home);
    expect(await mayEnter(home, { name: "owner", uid, gid: 4_242 })).toBe(true);
    expect(await mayEnter(home, { name: "colleague", uid: 4_242, gid })).toBe(true);
  });

  it("is refused for a missing one", async () => {
    expect(await mayEnter(join(folder, "nowhere"), foreign)).toBe(false);
  });
});

describe("the programs", () => {
  it("stay where they are if the account can reach them", async () => {
    const cache = join(folder, "cache", "postgresql-1");
    expect(await reachableCopy(native, { cache, account: foreign })).toBe(native);
  });

  it("are copied once, links as links, from a closed home", async () => {
    await chmod(join(folder, "home"), 0o700);
    const cache = join(folder, "cache", "postgresql-1");
    const copies = await Promise.all(
      [1, 2].map(() => reachableCopy(native, { cache, account: foreign })),
    );
    expect(copies).toEqual([cache, cache]);
    expect(await readFile(join(cache, "bin", "link"), "utf8")).toBe("#!/bin/sh\n");
    await writeFile(join(cache, "mark"), "kept");
    expect(await reachableCopy(native, { cache, account: foreign })).toBe(cache);
    expect(await readFile(join(cache, "mark"), "utf8")).toBe("kept");
  });
});
