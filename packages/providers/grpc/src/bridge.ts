import type {
  DescMessage,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { CallContext, ProviderError } from "@cloudwright/provider-api";
import { NotSent } from "@cloudwright/provider-api/http";
import { unknownObjectsOf } from "./connection/failures.ts";
import type { LeaseFence, ObjectSource, SourceObject } from "./connection.ts";
import type { CloudCall, FenceSchema } from "./generated/cloudwright/provider/v1/provider_pb.js";
import { madeCalls } from "./made-calls.ts";
import type { RefOf } from "./object-sync.ts";
import { type ReadyLink, raced, type Session } from "./session.ts";

/** All that the provider's capabilities call the process through. */
export interface BridgeOptions {
  /** Scheme of provider IDs. */
  readonly provider: string;
  readonly session: Session;
  readonly objects: ObjectSource;
  readonly fence: LeaseFence;
  /** What the process has for one answer, milliseconds. */
  readonly timeoutMs: number;
  /** Whether every answer names the calls that were made for it. */
  readonly reportsCalls: boolean;
}

/** One request to the process on behalf of a run. */
export interface BridgedCall<Input extends DescMessage, Output extends DescMessage> {
  readonly method: DescMethodUnary<Input, Output>;
  readonly target: string;
  /** The objects that the request names; none unless given. */
  readonly objects?: readonly (SourceObject | undefined)[];
  /** Made right before it leaves, when the process has those objects. */
  request(refOf: RefOf): MessageInitShape<Input>;
  /** What the process has for the answer, milliseconds; as much as for any other unless given. */
  readonly timeoutMs?: number;
  /** The calls to the cloud that the answer names. */
  calls(answer: MessageShape<Output>): readonly CloudCall[];
  /** Of single items of a batch; none unless given. */
  failures?(answer: MessageShape<Output>): readonly ProviderError[];
}

/** One that changes the cloud: it carries the fence. */
export interface BridgedChange<Input extends DescMessage, Output extends DescMessage>
  extends Omit<BridgedCall<Input, Output>, "request"> {
  request(refOf: RefOf, fence: FenceInit): MessageInitShape<Input>;
}

type SentCall<Input extends DescMessage, Output extends DescMessage> = Pick<
  BridgedCall<Input, Output>,
  "method" | "objects" | "request" | "timeoutMs"
>;

export type FenceInit = MessageInitShape<typeof FenceSchema>;

/** As a step shows a request that was answered: gRPC has no number of its own for that. */
const ANSWERED = 200;

export class Bridge {
  readonly provider: string;
  readonly objects: ObjectSource;
  readonly #options: BridgeOptions;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.provider = options.provider;
    this.objects = options.objects;
  }

  /** A call that reads. Throws ProviderError, or the signal's reason. */
  async read<Input extends DescMessage, Output extends DescMessage>(
    context: CallContext,
    call: BridgedCall<Input, Output>,
  ): Promise<MessageShape<Output>> {
    return await this.#call(context, call, false);
  }

  /** A call that changes the cloud: it leaves only while this replica holds the Lease. Throws as `read` does. */
  async change<Input extends DescMessage, Output extends DescMessage>(
    context: CallContext,
    { request, ...call }: BridgedChange<Input, Output>,
  ): Promise<MessageShape<Output>> {
    const fenced = (refOf: RefOf) => request(refOf, this.#fence());
    return await this.#call(context, { ...call, request: fenced }, true);
  }

  /** A question to the process alone, that takes no call to the cloud. */
  async ask<Input extends DescMessage, Output extends DescMessage>(
    call: SentCall<Input, Output>,
  ): Promise<MessageShape<Output>> {
    return await this.#send(call, new AbortController().signal, () => true);
  }

  async #call<Input extends DescMessage, Output extends DescMessage>(
    context: CallContext,
    call: BridgedCall<Input, Output>,
    mutates: boolean,
  ): Promise<MessageShape<Output>> {
    const { provider, reportsCalls: isComplete } = this.#options;
    const { timeoutMs } = call;
    const limit = timeoutMs === undefined ? {} : { answerTimeoutMs: timeoutMs };
    const description = { operation: call.method.name, target: call.target, mutates, ...limit };
    return await context.call(description, async (signal, mayLeave) => {
      const startedAt = Date.now();
      const value = await this.#send(call, signal, mayLeave);
      const calls = call.calls(value);
      const failures = call.failures?.(value) ?? [];
      const made = madeCalls({ provider, ...description, startedAt, calls, failures, isComplete });
      return { value, status: ANSWERED, ...(made === undefined ? {} : { calls: made }) };
    });
  }

  /** What the process does not have, although it was sent, is sent again: once, as then something else is wrong. */
  async #send<Input extends DescMessage, Output extends DescMessage>(
    call: SentCall<Input, Output>,
    signal: AbortSignal,
    mayLeave: () => boolean,
  ): Promise<MessageShape<Output>> {
    const link = await this.#options.session.ready(signal);
    try {
      return await this.#sendOnce(link, call, { signal, mayLeave });
    } catch (error) {
      const unknown = unknownObjectsOf(error);
      if (unknown === undefined) throw error;
      link.sync.lost(unknown);
      return await this.#sendOnce(link, call, { signal, mayLeave });
    }
  }

  async #sendOnce<Input extends DescMessage, Output extends DescMessage>(
    { connection, sync }: ReadyLink,
    { method, objects = [], request, timeoutMs = this.#options.timeoutMs }: SentCall<Input, Output>,
    { signal, mayLeave }: { readonly signal: AbortSignal; readonly mayLeave: () => boolean },
  ): Promise<MessageShape<Output>> {
    await raced(sync.bring(objects.filter((object) => object !== undefined)), signal);
    if (!mayLeave()) throw new NotSent("this process no longer holds the Lease");
    return await connection.call(method, request(sync.refOf), { signal, timeoutMs });
  }

  #fence(): FenceInit {
    const held = this.#options.fence.current();
    if (held === undefined) throw new NotSent("this process does not hold the Lease");
    const { holder, term, validUntil } = held;
    return { holder, term: BigInt(term), validUntilMs: BigInt(validUntil) };
  }
}
