import type { LiveValue } from "../values/live-value.ts";

/** A live value that a test changes. */
export interface Settable<Value> extends LiveValue<Value> {
  set(value: Value): void;
}

export function settable<Value>(first: Value): Settable<Value> {
  const callbacks = new Set<() => void>();
  let value = first;
  return {
    get value() {
      return value;
    },
    onChange: (callback) => {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    set: (next) => {
      value = next;
      for (const callback of callbacks) callback();
    },
  };
}
