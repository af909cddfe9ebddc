import {
  type CallContext,
  type DescribeOptions,
  type Instances,
  instanceKey,
  isProviderError,
  type Lookup,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { chunksOf } from "./calls.ts";
import type { CloudClient } from "./cloud-client.ts";
import { createInstanceReads, type InstanceReads, type Listing } from "./instance-reads.ts";
import {
  describeOne,
  failedLookup,
  InstanceIndex,
  isQuestion,
  lookupOf,
  type Question,
  questionOf,
} from "./questions.ts";

/** The sandbox cloud's instances. A single reference is read individually, several share filtered listings. */
export function createInstances(client: CloudClient): Instances {
  const reads = createInstanceReads(client);
  return {
    describe: async (refs, options, context) => {
      const asked = refs.map((ref) => [instanceKey(ref), questionOf(ref)] as const);
      const questions = new Map(
        asked.flatMap(([key, value]) => (isQuestion(value) ? [[key, value] as const] : [])),
      );
      const known = asked.flatMap(([key, value]) =>
        isQuestion(value) ? [] : ([[key, value]] as const),
      );
      const answers = await describeQuestions(
        reads,
        { questions: [...questions.values()], options },
        context,
      );
      return new Map([...known, ...answers]);
    },
  };
}

interface Options {
  readonly questions: readonly Question[];
  readonly options: DescribeOptions;
}

async function describeQuestions(
  reads: InstanceReads,
  { questions, options }: Options,
  context: CallContext,
): Promise<Iterable<readonly [string, Lookup]>> {
  if (options.mode === "batch" && questions.length > 1) {
    return describeMany(reads, questions, context);
  }
  return Promise.all(
    questions.map(
      async (question) => [question.key, await describeOne(reads, question, context)] as const,
    ),
  );
}

type Answers = ReadonlyMap<string, Lookup>;

/** More names in one request would make its URL too long for proxies. */
const NAMED_PER_CALL = 250;
/** From this many on, listing everything takes fewer calls. */
const MOST_NAMED = 1_000;
/** The maximum number of calls that one batch may spend on finding the instances that make its reads fail. */
const ISOLATION_CALLS = 32;

/** Looks up several instances in few calls. An instance missing from a listing is *notListed*. Throws only when the signal aborts. */
async function describeMany(
  reads: InstanceReads,
  questions: readonly Question[],
  context: CallContext,
): Promise<Answers> {
  if (questions.length > MOST_NAMED) return describeAll(reads, questions, context);
  const batch: Batch = { reads, context, isolation: { callsLeft: ISOLATION_CALLS } };
  const parts = chunksOf(questions, NAMED_PER_CALL).map((chunk) => describeNamed(batch, chunk));
  return merged(await Promise.all(parts));
}

interface Batch {
  readonly reads: InstanceReads;
  readonly context: CallContext;
  readonly isolation: { callsLeft: number };
}

async function describeAll(
  reads: InstanceReads,
  questions: readonly Question[],
  context: CallContext,
): Promise<Answers> {
  try {
    return answersOf(questions, await reads.list({ ids: [], names: [] }, context));
  } catch (error) {
    return allFailed(questions, failedLookup(error, context));
  }
}

/** Reads all of them by name in one call; if that fails although the cloud is otherwise healthy, reads the halves separately. */
async function describeNamed(batch: Batch, questions: readonly Question[]): Promise<Answers> {
  const { reads, context } = batch;
  try {
    return answersOf(questions, await reads.list(filterOf(questions), context));
  } catch (error) {
    const failed = failedLookup(error, context);
    if (!isOfOneInstance(error)) return allFailed(questions, failed);
    if (!(await isCloudWell(batch))) return allFailed(questions, failed);
    return isolate(batch, questions, failed);
  }
}

/**
 * A failure of authentication or a rate limit affects every read alike; splitting would only make it worse. An authenticated
 * caller may still be forbidden to read one of them.
 */
function isOfOneInstance(error: unknown): boolean {
  if (!isProviderError(error)) return false;
  return error.call.status === 403 || !OF_EVERY_READ.has(error.code);
}

const OF_EVERY_READ: ReadonlySet<ProviderErrorCode> = new Set([
  "Throttled",
  "OutOfBounds",
  "Unauthorized",
  "TimedOut",
]);

async function isCloudWell({ reads, context, isolation }: Batch): Promise<boolean> {
  if (isolation.callsLeft <= 0) return false;
  isolation.callsLeft -= 1;
  try {
    await reads.showsAny(context);
    return true;
  } catch {
    context.signal.throwIfAborted();
    return false;
  }
}

/** Splits in halves until the failing instances are alone. A half that cannot be read within the budget gets the failure of the whole. */
async function isolate(
  batch: Batch,
  questions: readonly Question[],
  failed: Lookup,
): Promise<Answers> {
  const middle = Math.ceil(questions.length / 2);
  const halves = [questions.slice(0, middle), questions.slice(middle)];
  const parts = halves
    .filter((half) => half.length > 0)
    .map((half) => describeHalf(batch, half, failed));
  return merged(await Promise.all(parts));
}

async function describeHalf(
  batch: Batch,
  half: readonly Question[],
  failed: Lookup,
): Promise<Answers> {
  const { reads, context, isolation } = batch;
  if (isolation.callsLeft <= 0) return allFailed(half, failed);
  isolation.callsLeft -= 1;
  const [alone, ...others] = half;
  if (alone !== undefined && others.length === 0) {
    return new Map([[alone.key, await describeOne(reads, alone, context)]]);
  }
  try {
    return answersOf(half, await reads.list(filterOf(half), context));
  } catch (error) {
    const again = failedLookup(error, context);
    return isOfOneInstance(error) ? isolate(batch, half, again) : allFailed(half, again);
  }
}

function filterOf(questions: readonly Question[]) {
  return {
    ids: questions.flatMap(({ id }) => id ?? []),
    names: questions.flatMap(({ name }) => name ?? []),
  };
}

function answersOf(questions: readonly Question[], listing: Listing): Answers {
  const index = new InstanceIndex(listing.instances);
  const { requestId } = listing;
  const notListed: Lookup =
    requestId === undefined ? { kind: "notListed" } : { kind: "notListed", requestId };
  return new Map(
    questions.map((question) => [
      question.key,
      lookupOf(question, index.matches(question), requestId) ?? notListed,
    ]),
  );
}

function allFailed(questions: readonly Question[], failed: Lookup): Answers {
  return new Map(questions.map(({ key }) => [key, failed]));
}

function merged(parts: readonly Answers[]): Answers {
  return new Map(parts.flatMap((part) => [...part]));
}
