import { afterEach, describe, expect, it, vi } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { checkDatabaseUrl } from "./open-ledger.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

function check(environment: string, flag = ""): Promise<void> {
  vi.stubEnv("DATABASE_URL", environment);
  return checkDatabaseUrl({ flags: { ...defaults(), "database-url": flag } });
}

describe("the environment's DATABASE_URL", () => {
  it.each(["hunter2", "mysql://user:hunter2@x/y", "postgres://user:hunter2#@x/y"])(
    "is refused at the start when it is no address (%s), and not shown",
    async (url) => {
      const refusal = check(url);
      await expect(refusal).rejects.toMatchObject({ name: "PlainError", exitCode: 1 });
      await expect(refusal).rejects.toThrow(/^DATABASE_URL is not the address of a PostgreSQL: /);
      await expect(refusal).rejects.not.toThrow(/hunter2/);
    },
  );

  it("may be empty, and --database-url takes precedence", async () => {
    await check("");
    await check("nonsense", "postgresql://u@h/n");
  });
});
