import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { createRefetcher } from "./refetcher.ts";

it("asks once more when a change overtook a request under way", async () => {
  const queryClient = new QueryClient();
  const answers: ((value: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(queryClient, { queryKey: [["nodes", "list"]], queryFn: ask });
  const stop = observer.subscribe(() => undefined);
  expect(answers).toHaveLength(1);
  createRefetcher(queryClient)("nodes");
  expect(answers).toHaveLength(1);
  answers[0]?.("before the change");
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.("after the change");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("after the change"));
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

it("asks for a long list only when it is due", async () => {
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
