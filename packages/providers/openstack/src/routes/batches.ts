import type { CallContext } from "@cloudwright/provider-api";

/** The result of one entry of a batch. */
export type Outcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown };

interface Entry<Item, Result> {
  readonly item: Item;
  readonly context: CallContext;
  settle(outcome: Outcome<Result>): void;
}

/**
 * Work on one router, one batch at a time: entries that arrive during a batch form the next one, so that many Nodes take as many
 * calls as one. A batch is sent in the context of its first entry.
 */
export class Batches<Item, Result> {
  readonly #send: SendBatch<Item, Result>;
  readonly #areOneKind: (left: Item, right: Item) => boolean;
  #waiting: Entry<Item, Result>[] = [];
  #isAtWork: boolean = false;

  /** `areOneKind`: whether two items may be in the same batch. */
  constructor(send: SendBatch<Item, Result>, areOneKind: (left: Item, right: Item) => boolean) {
    this.#send = send;
    this.#areOneKind = areOneKind;
  }

  /** Returns the result of the entry. Throws its error, or the reason of its context's signal. */
  async join(item: Item, context: CallContext): Promise<Result> {
    context.signal.throwIfAborted();
    const outcome = await new Promise<Outcome<Result>>((settle) => {
      this.#waiting.push({ item, context, settle });
      void this.#work();
    });
    if (outcome.kind === "failed") throw outcome.error;
    return outcome.result;
  }

  async #work(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    try {
      // Entries added in the same turn belong to the first batch.
      await Promise.resolve();
      for (let batch = this.#take(); batch.length > 0; batch = this.#take()) await this.#run(batch);
    } finally {
      this.#isAtWork = false;
    }
  }

  #take(): readonly Entry<Item, Result>[] {
    for (const { context, settle } of this.#waiting.filter(isAborted))
      settle({ kind: "failed", error: context.signal.reason });
    const left = this.#waiting.filter((entry) => !isAborted(entry));
    const [first] = left;
    const isOfBatch = ({ item }: Entry<Item, Result>) =>
      first !== undefined && this.#areOneKind(first.item, item);
    this.#waiting = left.filter((entry) => !isOfBatch(entry));
    return left.filter(isOfBatch);
  }

  async #run(batch: readonly Entry<Item, Result>[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    try {
      const items = batch.map(({ item }) => item);
      const outcomes = await this.#send(items, first.context);
      for (const [index, { settle }] of batch.entries())
        settle(
          outcomes[index] ?? { kind: "failed", error: new Error("a batch left an entry out") },
        );
    } catch (error) {
      this.#failed(batch, error);
    }
  }

  /** If the first entry's run has ended, the others are not affected. */
  #failed([first, ...others]: readonly Entry<Item, Result>[], error: unknown): void {
    first?.settle({ kind: "failed", error });
    if (first !== undefined && isAborted(first)) this.#waiting.unshift(...others);
    else for (const { settle } of others) settle({ kind: "failed", error });
  }
}

/** Returns one outcome per item, in order. An error that it throws applies to all. */
export type SendBatch<Item, Result> = (
  items: readonly Item[],
  context: CallContext,
) => Promise<readonly Outcome<Result>[]>;

function isAborted({ context }: { readonly context: CallContext }): boolean {
  return context.signal.aborted;
}
