import type { MessageInitShape } from "@bufbuild/protobuf";
import { type LoadBalancerPlan, ProviderError } from "@cloudwright/provider-api";
import { checkCount } from "../answer-bounds.ts";
import type { Bridge } from "../bridge.ts";
import type { SourceObject } from "../connection.ts";
import {
  type LoadBalancerPlanInputSchema,
  type LoadBalancerPlan as PlanMessage,
  Provider,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import type { RefOf } from "../object-sync.ts";
import { planOf } from "./plans.ts";

/** What one plan is based on. */
export interface PlanQuestion {
  readonly objects: readonly (SourceObject | undefined)[];
  message(refOf: RefOf): MessageInitShape<typeof LoadBalancerPlanInputSchema>;
}

interface Waiting extends PlanQuestion {
  resolve(plan: LoadBalancerPlan): void;
  reject(error: unknown): void;
}

/** Combines plans that are requested in the same turn into one request. */
export class GatheredPlans {
  readonly #bridge: Bridge;
  #waiting: Waiting[] = [];

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Returns a plan. Throws ProviderError. */
  plan(question: PlanQuestion): Promise<LoadBalancerPlan> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#send());
      this.#waiting.push({ ...question, resolve, reject });
    });
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#ask(waiting).then(
      (plans) => {
        for (const [index, one] of waiting.entries()) this.#settle(one, plans[index]);
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }

  async #ask(waiting: readonly Waiting[]): Promise<readonly PlanMessage[]> {
    const { plans } = await this.#bridge.ask({
      method: Provider.method.planLoadBalancers,
      objects: waiting.flatMap(({ objects }) => objects),
      request: (refOf) => ({ inputs: waiting.map(({ message }) => message(refOf)) }),
    });
    checkCount(this.#call, plans.length, waiting.length);
    return plans;
  }

  #settle({ resolve, reject }: Waiting, message: PlanMessage | undefined): void {
    try {
      const plan = message === undefined ? undefined : planOf(message);
      if (plan === undefined) reject(this.#unreadable("it has what this release does not know"));
      else resolve(plan);
    } catch (error) {
      reject(this.#unreadable(String(error)));
    }
  }

  #unreadable(why: string): ProviderError {
    const { provider } = this.#bridge;
    const message = `A plan of the provider process ${provider} cannot be read: ${why}; report this to its author.`;
    return new ProviderError("Invalid", message, this.#call);
  }

  get #call() {
    return { provider: this.#bridge.provider, operation: "PlanLoadBalancers" };
  }
}
