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

/** What the provider's capabilities need to call the process. */
export interface BridgeOptions {
  /** Scheme of provider IDs. */
  readonly provider: string;
  readonly session: Session;
  readonly objects: ObjectSource;
  readonly fence: LeaseFence;
  /** The time limit of each answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether every answer reports the cloud calls that were made for it. */
  readonly reportsCalls: boolean;
}

/** One request to the process on behalf of a run. */
export interface BridgedCall<Input extends DescMessage, Output extends DescMessage> {
  readonly method: DescMethodUnary<Input, Output>;
  readonly target: string;
  /** The objects that the request refers to; none by default. */
  readonly objects?: readonly (SourceObject | undefined)[];
  /** Builds the request right before it is sent, once the process has those objects. */
  request(refOf: RefOf): MessageInitShape<Input>;
  /** The time limit of the answer, in milliseconds; the same as for other requests by default. */
  readonly timeoutMs?: number;
  /** Returns the cloud calls that the answer reports. */
  calls(answer: MessageShape<Output>): readonly CloudCall[];
  /** Returns the failures of single items in a batch; none by default. */
  failures?(answer: MessageShape<Output>): readonly ProviderError[];
}

/** A request that changes the cloud: it carries the fence. */
export interface BridgedChange<Input extends DescMessage, Output extends DescMessage>
  extends Omit<BridgedCall<Input, Output>, "request"> {
  request(refOf: RefOf, fence: FenceInit): MessageInitShape<Input>;
}

type SentCall<Input extends DescMessage, Output extends DescMessage> = Pick<
  BridgedCall<Input, Output>,
  "method" | "objects" | "request" | "timeoutMs"
>;

export type FenceInit = MessageInitShape<typeof FenceSchema>;

/** The status of an answered request in a step, since gRPC has no such number of its own. */
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

  /** Makes a read-only call. Throws ProviderError, or the signal's reason. */
  async read<Input extends DescMessage, Output extends DescMessage>(
    context: CallContext,
    call: BridgedCall<Input, Output>,
  ): Promise<MessageShape<Output>> {
    return await this.#call(context, call, false);
  }

  /** Makes a call that changes the cloud: it is only sent while this replica holds the Lease. Throws like `read`. */
  async change<Input extends DescMessage, Output extends DescMessage>(
    context: CallContext,
    { request, ...call }: BridgedChange<Input, Output>,
  ): Promise<MessageShape<Output>> {
    const fenced = (refOf: RefOf) => request(refOf, this.#fence());
    return await this.#call(context, { ...call, request: fenced }, true);
  }

  /** Makes a call that only concerns the process, without calls to the cloud. */
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

  /** Objects that the process lacks although they were sent are sent again, but only once: after that, something else is wrong. */
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
