/** An answer that may lack parts of it, which are empty then. */
export interface Unread<Part extends string> {
  /** Those that could not be read; absent while there are none. */
  readonly unread?: readonly Part[];
}
