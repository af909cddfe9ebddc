import { describe, expect, it, vi } from "vitest";
import { DatabaseSilentError, sharedCheck, unlessDatabaseSilent } from "./database-check.ts";

const never = new Promise<never>(() => undefined);

describe("work that waits for the database", () => {
  it("is abandoned with the reason when the database does not answer", async () => {
    const options = { answers: async () => false, patienceMs: 1 };
    await expect(unlessDatabaseSilent(never, options)).rejects.toBeInstanceOf(DatabaseSilentError);
  });

  it("continues, however slow, as long as the database answers", async () => {
    let finish: (value: string) => void = () => undefined;
    const work = new Promise<string>((resolve) => {
      finish = resolve;
    });
    let requested = 0;
    const answers = async () => {
      requested += 1;
      if (requested === 3) finish("done");
      return true;
    };
    expect(await unlessDatabaseSilent(work, { answers, patienceMs: 1 })).toBe("done");
    expect(requested).toBeGreaterThanOrEqual(3);
  });

  it("does not query the database if it finishes quickly", async () => {
    const answers = vi.fn(async () => true);
    await unlessDatabaseSilent(Promise.resolve(1), { answers, patienceMs: 1_000 });
    expect(answers).not.toHaveBeenCalled();
  });

  it("fails with its own error", async () => {
    const failed = unlessDatabaseSilent(Promise.reject(new Error("no such row")));
    await expect(failed).rejects.toThrow("no such row");
  });
});

describe("the check", () => {
  it("is one query for all callers in the meantime, and a new one afterwards", async () => {
    const requested: (() => void)[] = [];
    const ask = () => new Promise<void>((resolve) => requested.push(resolve));
    const check = sharedCheck(ask, () => undefined);
    const both = [check(), check()];
    expect(requested).toHaveLength(1);
    requested[0]?.();
    expect(await Promise.all(both)).toEqual([true, true]);
    void check();
    expect(requested).toHaveLength(2);
  });

  it("reports false if the query fails, and logs the error", async () => {
    const reported: unknown[] = [];
    const check = sharedCheck(
      () => Promise.reject(new Error("Query read timeout")),
      (answers, error) => reported.push(answers, String(error)),
    );
    expect(await check()).toBe(false);
    expect(reported).toEqual([false, "Error: Query read timeout"]);
  });
});
