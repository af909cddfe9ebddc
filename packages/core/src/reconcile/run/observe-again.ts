/**
 * Thrown by a reconciler's `apply` when a failed write revealed something that changes the plan, such as which of many
 * members the cloud refuses. The run then observes and plans again at once, but only once for each `about`: the second time
 * it fails with the cause, as if the cause itself had been thrown.
 */
export class ObserveAgain extends Error {
  /** What was learnt, so that a run observes again only once for the same thing. */
  readonly about: string;

  constructor(about: string, cause: unknown) {
    super(`It is observed again because of ${about}.`, { cause });
    this.about = about;
  }
}
