/** A value that may change while a process runs. */
export interface LiveValue<Value> {
  /** The current value. */
  readonly value: Value;
  /** Calls back after each change; returns a function that ends this. */
  onChange(callback: () => void): () => void;
}

/** Returns a value that never changes. */
export function fixed<Value>(value: Value): LiveValue<Value> {
  return { value, onChange: () => () => undefined };
}
