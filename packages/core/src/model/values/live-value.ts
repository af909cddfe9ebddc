/** A value that may change while a process runs. */
export interface LiveValue<Value> {
  /** As it holds now. */
  readonly value: Value;
  /** Calls back after each change; the answer ends that. */
  onChange(callback: () => void): () => void;
}

/** A value that stays as it is. */
export function fixed<Value>(value: Value): LiveValue<Value> {
  return { value, onChange: () => () => undefined };
}
