import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { createRefetcher } from "./refetcher.ts";

/** A list that is on screen; its requests wait for the answers that a test gives. */
function openList() {
  const queryClient = new QueryClient();
  const answers: ((value: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(queryClient, { queryKey: [["nodes", "list"]], queryFn: ask });
  const stop = observer.subscribe(() => undefined);
  return { queryClient, observer, stop, answers };
}

it("refetches when a change overtook a request in flight", async () => {
  const { queryClient, observer, stop, answers } = openList();
  expect(answers).toHaveLength(1);
  createRefetcher(queryClient)("nodes");
  expect(answers).toHaveLength(1);
  answers[0]?.("before the change");
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.("after the change");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("after the change"));
  stop();
});

it("waits for a request in flight that nobody observes any more, and marks its answer as stale", async () => {
  const queryClient = new QueryClient();
  // Without this limit, refetching without a pause would hang this test as it once hung a page.
  const invalidate = vi.spyOn(queryClient, "invalidateQueries").mockImplementation((...given) => {
    if (invalidate.mock.calls.length > 50) throw new Error("it asks without a pause");
    return QueryClient.prototype.invalidateQueries.apply(queryClient, given);
  });
  const answers: ((value: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => answers.push(resolve));
  const query = { queryKey: [["nodes", "list"]], queryFn: ask, staleTime: Infinity };
  const leave = new QueryObserver(queryClient, query).subscribe(() => undefined);
  leave();
  createRefetcher(queryClient)("nodes");
  await new Promise((resolve) => setImmediate(resolve));
  expect(invalidate).toHaveBeenCalledTimes(1);
  answers[0]?.("before the change");
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(answers).toHaveLength(1);
  const stop = new QueryObserver(queryClient, query).subscribe(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  stop();
});

it("refetches once, however many changes overtook a request in flight", async () => {
  const { queryClient, observer, stop, answers } = openList();
  const refetch = createRefetcher(queryClient);
  for (let changes = 0; changes < 5; changes += 1) refetch("nodes");
  answers[0]?.("before the changes");
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.("after the changes");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("after the changes"));
  expect(queryClient.isFetching()).toBe(0);
  stop();
});

it("leaves other routers alone", async () => {
  const queryClient = new QueryClient();
  const queryFn = vi.fn(() => Promise.resolve("answer"));
  const observer = new QueryObserver(queryClient, { queryKey: [["runs", "list"]], queryFn });
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("answer"));
  createRefetcher(queryClient)("nodes");
  expect(queryClient.isFetching()).toBe(0);
  expect(queryFn).toHaveBeenCalledTimes(1);
  stop();
});

it("refetches a long list only when it is due", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const queryClient = new QueryClient();
  const queryFn = vi.fn(() => Promise.resolve({ pages: Array(10).fill(0) }));
  const observer = new QueryObserver(queryClient, { queryKey: [["nodes", "list"]], queryFn });
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  const refetch = createRefetcher(queryClient);
  refetch("nodes");
  refetch("nodes");
  await vi.advanceTimersByTimeAsync(3_900);
  expect(queryFn).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
  vi.useRealTimers();
});
