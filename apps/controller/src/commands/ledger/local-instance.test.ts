import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { localInstance, requireDatabaseUrl } from "./local-instance.ts";

const LOCAL = "postgresql://postgres@127.0.0.1:5/cloudwright";
let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "cloudwright-local-"));
  vi.stubEnv("DATABASE_URL", "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

it("takes the option, then the environment, then the local instance", () => {
  writeEndpoints(JSON.stringify({ dashboard: "http://d", databaseUrl: LOCAL }));
  expect(requireDatabaseUrl({ data })).toBe(LOCAL);
  vi.stubEnv("DATABASE_URL", "postgres://env/x");
  expect(requireDatabaseUrl({ data })).toBe("postgres://env/x");
  expect(requireDatabaseUrl({ data, databaseUrl: "postgres://flag/x" })).toBe("postgres://flag/x");
});

it.each(["", "{", "{}"])("knows of no instance when its file is %j", (text) => {
  writeEndpoints(text);
  expect(localInstance(data)).toBeUndefined();
});

it("says what to do if there is no database", () => {
  expect(() => requireDatabaseUrl({ data })).toThrow(
    /^No database is named: set DATABASE_URL, give/,
  );
  expect(() => requireDatabaseUrl({ data, databaseUrl: "mysql://x" })).toThrow(
    /^The database's URL is not the address of a PostgreSQL/,
  );
});

function writeEndpoints(text: string): void {
  writeFileSync(join(data, "endpoints.json"), text);
}
