/**
 * Thrown by a reconciler's `apply` when the failed write has taught it something that changes the plan, such as which of many
 * members the cloud refuses: the run observes and plans anew at once, without a pause, in the same run. Once for each
 * `about`; the second time the run fails with the cause, as it does when the cause is thrown by itself.
 */
export class ObserveAgain extends Error {
  /** What was learnt, so that the same lesson is not learnt twice in one run. */
  readonly about: string;

  constructor(about: string, cause: unknown) {
    super(`It is observed again because of ${about}.`, { cause });
    this.about = about;
  }
}
