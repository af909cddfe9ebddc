import { parseInput } from "../http/api-error.ts";
import {
  type Failure,
  type FaultRule,
  type Faults,
  failureOf,
  faultsSchemaWith,
  globToRegExp,
  ORDINARY_QUOTAS,
  type Quotas,
} from "./fault-rules.ts";

/** The parts of a request that rules match. */
export interface JudgedRequest {
  readonly method: string;
  readonly path: string;
  /** Ids and names of instances that the path or the query names; empty for an unfiltered listing. */
  readonly instances: ReadonlySet<string>;
  /** The members of the request's body. */
  readonly bodyFields: ReadonlySet<string>;
}

export interface Verdict {
  readonly delayMs: number;
  readonly ending:
    | { readonly kind: "answer" }
    | { readonly kind: "fail"; readonly failure: Failure }
    | { readonly kind: "loseResponse" }
    | { readonly kind: "hang" };
}

export interface FaultEngine {
  /** Returns the current faults: `times` shows how many are left. */
  read(): Faults;
  /** Throws ApiError `invalid`, which names the field. */
  replace(input: unknown): Faults;
  clear(): void;
  /**
   * Decides about one request and uses up what it takes: first the throttle (a throttled request uses up no rule), then the rules in order,
   * each matching one of which adds its latency until one ends the request, then `errorRate`.
   */
  judge(request: JudgedRequest): Verdict;
}

interface LiveRule {
  readonly rule: FaultRule;
  readonly path: RegExp;
  /** The names of its instance when the rule was made, so that a deleted instance is still recognised. */
  readonly aliases: ReadonlySet<string>;
  left: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createFaultEngine(
  /** Returns all ids and names of the instance with this id or name. */
  aliasesOf: AliasesOf,
  quotas: Quotas = ORDINARY_QUOTAS,
): FaultEngine {
  const schema = faultsSchemaWith(quotas);
  const none = schema.parse({});
  let faults = none;
  let rules: LiveRule[] = [];
  let bucket: Bucket = { tokens: 0, at: 0 };
  let random = seededRandom(1);

  const install = (next: Faults): Faults => {
    faults = next;
    rules = next.rules.map((rule) => toLiveRule(rule, aliasesOf));
    bucket = { tokens: next.throttle?.burst ?? 0, at: performance.now() };
    random = seededRandom(next.seed);
    return next;
  };
  const names = ({ rule, aliases }: LiveRule, { instances }: JudgedRequest): boolean =>
    rule.instance === undefined ||
    overlaps(aliases, instances) ||
    overlaps(aliasesOf(rule.instance), instances);

  const draws = ({ rule: { share } }: LiveRule): boolean => share === undefined || random() < share;

  return {
    read: () => ({ ...faults, rules: rules.map(withTimesLeft) }),
    replace: (input) => install(parseInput(schema, input)),
    clear: () => install(none),
    judge: (request) => {
      const retryAfter = faults.throttle === null ? 0 : takeToken(bucket, faults.throttle);
      if (retryAfter > 0) {
        return refused({ status: 429, code: "throttled", retryAfter });
      }
      const struck = strike(
        rules.filter((live) => fits(live, request) && names(live, request) && draws(live)),
      );
      const delayMs = faults.latencyMs + random() * faults.jitterMs + struck.delayMs;
      const unlucky = random() < faults.errorRate;
      return struck.ending.kind === "answer" && unlucky
        ? { ...refused({ status: 500, code: "internal" }), delayMs }
        : { delayMs, ending: struck.ending };
    },
  };
}

type AliasesOf = (instance: string) => ReadonlySet<string>;

function toLiveRule(rule: FaultRule, aliasesOf: AliasesOf): LiveRule {
  return {
    rule,
    path: globToRegExp(rule.path ?? "*"),
    aliases: rule.instance === undefined ? new Set() : aliasesOf(rule.instance),
    left: rule.times ?? Number.POSITIVE_INFINITY,
  };
}

function fits({ rule, path, left }: LiveRule, request: JudgedRequest): boolean {
  const method = rule.method?.toUpperCase() ?? "*";
  const isMethod = method === "*" || method === request.method;
  return left > 0 && isMethod && path.test(request.path) && fitsBody(rule, request);
}

function fitsBody({ bodyHas, bodyOnly }: FaultRule, { bodyFields }: JudgedRequest): boolean {
  const has = bodyHas === undefined || bodyFields.has(bodyHas);
  const only = bodyOnly === undefined || (bodyFields.size === 1 && bodyFields.has(bodyOnly));
  return has && only;
}

function withTimesLeft({ rule, left }: LiveRule): FaultRule {
  return rule.times === undefined ? rule : { ...rule, times: left };
}

function refused(failure: Failure): Verdict {
  return { delayMs: 0, ending: { kind: "fail", failure } };
}

function strike(fitting: readonly LiveRule[]): Verdict {
  let delayMs = 0;
  for (const live of fitting) {
    live.left -= 1;
    delayMs += live.rule.latencyMs ?? 0;
    const ending = endingOf(live.rule);
    if (ending.kind !== "answer") {
      return { delayMs, ending };
    }
  }
  return { delayMs, ending: { kind: "answer" } };
}

function endingOf(rule: FaultRule): Verdict["ending"] {
  if (rule.hang === true) {
    return { kind: "hang" };
  }
  if (rule.loseResponse === true) {
    return { kind: "loseResponse" };
  }
  const failure = failureOf(rule);
  return failure === undefined ? { kind: "answer" } : { kind: "fail", failure };
}

/** Returns zero if there was a token, else the whole seconds until there is one. */
function takeToken(bucket: Bucket, throttle: { perSecond: number; burst: number }): number {
  const now = performance.now();
  const refilled = bucket.tokens + ((now - bucket.at) / 1000) * throttle.perSecond;
  bucket.tokens = Math.min(throttle.burst, refilled);
  bucket.at = now;
  if (bucket.tokens < 1) {
    return Math.max(1, Math.ceil((1 - bucket.tokens) / throttle.perSecond));
  }
  bucket.tokens -= 1;
  return 0;
}

function overlaps(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((one) => b.has(one));
}

/** A small generator (xorshift32): the same seed gives the same faults, which is all it needs. */
function seededRandom(seed: number): () => number {
  let state = (seed | 0) === 0 ? 1 : seed | 0;
  for (const _ of Array.from({ length: 8 })) {
    state = scrambled(state);
  }
  return () => {
    state = scrambled(state);
    return (state >>> 0) / 2 ** 32;
  };
}

function scrambled(value: number): number {
  let next = value ^ (value << 13);
  next ^= next >>> 17;
  return next ^ (next << 5);
}
