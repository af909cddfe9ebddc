import { existsSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { librariesOf, sharedLibraries } from "./shared-libraries.mjs";

const PRINTED = `	linux-vdso.so.1 (0x00007fb88aead000)
	libdl.so.2 => /lib/x86_64-linux-gnu/libdl.so.2 (0x00007fb88ae95000)
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007fb88a93e000)
	/lib64/ld-linux-x86-64.so.2 (0x00007fb88aeaf000)
`;

it("returns libraries and the loader, and leaves out what the kernel maps", () => {
  expect(librariesOf(PRINTED)).toEqual([
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib/x86_64-linux-gnu/libdl.so.2",
    "/lib64/ld-linux-x86-64.so.2",
  ]);
});

it("names a missing library, without which no image could start", () => {
  expect(() => librariesOf("\tlibatomic.so.1 => not found\n")).toThrow(
    "The library libatomic.so.1 is missing on this machine.",
  );
});

it.skipIf(process.platform !== "linux")("finds those of the Node that runs this", () => {
  const found: readonly string[] = sharedLibraries(process.execPath);
  expect(found.some((path) => path.includes("libc.so"))).toBe(true);
  expect(found.filter((path) => !existsSync(path))).toEqual([]);
});
