/** An answer some parts of which may be missing, and are then empty. */
export interface Unread<Part extends string> {
  /** The parts that could not be read; absent when there are none. */
  readonly unread?: readonly Part[];
}
