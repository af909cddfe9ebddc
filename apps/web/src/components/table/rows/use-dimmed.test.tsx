// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useDimmed } from "./use-dimmed.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("dims rows of an earlier filter only if the answer takes long", () => {
  const { result, rerender } = renderHook(useDimmed, { initialProps: true });
  pass(199);
  expect(result.current).toBe(false);
  pass(1);
  expect(result.current).toBe(true);
  rerender(false);
  expect(result.current).toBe(false);
});

it("waits again after each answer", () => {
  const { result, rerender } = renderHook(useDimmed, { initialProps: true });
  pass(150);
  rerender(false);
  rerender(true);
  pass(150);
  expect(result.current).toBe(false);
  pass(50);
  expect(result.current).toBe(true);
});

it("leaves current rows as they are", () => {
  const { result } = renderHook(useDimmed, { initialProps: false });
  pass(1_000);
  expect(result.current).toBe(false);
});

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
