import {
  type CallContext,
  type DescribeOptions,
  type Instances,
  instanceKey,
  type Lookup,
} from "@cloudwright/provider-api";
import type { CloudClient } from "./cloud-client.ts";
import { describeMany } from "./describe-many.ts";
import { describeOne } from "./describe-one.ts";
import { createInstanceReads, type InstanceReads } from "./instance-reads.ts";
import { isQuestion, type Question, questionOf } from "./question.ts";

/** The sandbox cloud's instances. A lone ref takes one read of its own, several share filtered listings. */
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
