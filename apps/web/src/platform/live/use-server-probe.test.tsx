// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { probeNow, useServerProbe } from "./use-server-probe.ts";

type Answer = () => Response;

const WELL: Answer = () => Response.json({ database: "ok" });
const WITHOUT_DATABASE: Answer = () => Response.json({ database: "unreachable" }, { status: 503 });
const PROXY: Answer = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
const LOST: Answer = () => {
  throw new TypeError("Failed to fetch");
};

/** A page that shows one answer of the server, and probes a server that answers as configured. */
function probed(first: Answer) {
  let answer = first;
  vi.stubGlobal("fetch", async () => answer());
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const read = vi.fn(async () => "rows");
  const preview = vi.fn(async () => "plan");
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(
    () => {
      useQuery({ queryKey: [["nodes", "list"]], queryFn: read });
      useQuery({ queryKey: ["preview"], queryFn: preview });
      return useServerProbe();
    },
    { wrapper },
  );
  mounted.push(unmount);
  return {
    ...{ result, read, preview },
    answerBy: async (next: Answer) => {
      answer = next;
      await act(async () => probeNow(client));
    },
  };
}

const mounted: (() => void)[] = [];

afterEach(() => {
  for (const unmount of mounted.splice(0)) unmount();
  vi.unstubAllGlobals();
});

describe("whether the server answers", () => {
  it("is unknown before the first answer", () => {
    const { result } = probed(WELL);
    expect(result.current.server).toEqual({ newest: "pending", answeredAt: undefined });
    expect(result.current.database).toEqual({ newest: "pending", answeredAt: undefined });
  });

  it("is known from its answer, as is the state of its database", async () => {
    const { result, answerBy } = probed(WELL);
    await expect.poll(() => result.current.server.newest).toBe("answered");
    const { answeredAt } = result.current.database;
    expect(result.current.database.newest).toBe("answered");
    await answerBy(WITHOUT_DATABASE);
    await expect.poll(() => result.current.database.newest).toBe("failed");
    expect(result.current.server.newest).toBe("answered");
    expect(result.current.database.answeredAt).toBe(answeredAt);
  });

  it.each([
    ["nobody answers", LOST],
    ["a proxy answers in its place", PROXY],
  ])("is negative if %s, and the time of the last answer is kept", async (_, answer) => {
    const { result, answerBy } = probed(WELL);
    await expect.poll(() => result.current.server.newest).toBe("answered");
    const { answeredAt } = result.current.server;
    await answerBy(answer);
    await expect.poll(() => result.current.server.newest).toBe("failed");
    expect(result.current.server.answeredAt).toBe(answeredAt);
  });
});

describe("the page's data", () => {
  it.each([
    ["the server", LOST],
    ["its database", WITHOUT_DATABASE],
  ])("is refetched once %s is back, but an answered preview is not", async (_, lost) => {
    const { result, read, preview, answerBy } = probed(WELL);
    await expect.poll(() => result.current.server.newest).toBe("answered");
    await answerBy(lost);
    await expect
      .poll(() => [result.current.server.newest, result.current.database.newest])
      .toContain("failed");
    expect(read).toHaveBeenCalledOnce();
    await answerBy(WELL);
    await expect.poll(() => read.mock.calls.length).toBe(2);
    expect(preview).toHaveBeenCalledOnce();
  });

  it("is not refetched from a server that was never lost", async () => {
    const { result, read, answerBy } = probed(WELL);
    await expect.poll(() => result.current.server.newest).toBe("answered");
    await answerBy(WELL);
    await expect.poll(() => result.current.server.newest).toBe("answered");
    expect(read).toHaveBeenCalledOnce();
  });
});
