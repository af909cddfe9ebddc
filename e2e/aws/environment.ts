import { demand, eventually, messageOf, same } from "../harness/wait.ts";
import { differencesOf, resourcesIn, textOfCalls } from "./comparison.ts";
import { openSide, type Side, type SideOptions, type Who } from "./side.ts";

/** The same cloud and cluster twice. */
export interface AwsEnvironment {
  readonly ours: Side;
  readonly upstreams: Side;
  close(): Promise<void>;
}

/** One thing that has to come to the same on both sides. */
export interface Row {
  /** `A-L-03`. */
  readonly id: string;
  readonly title: string;
  /** Only in the long form. */
  readonly isLong?: true;
  run(env: AwsEnvironment): Promise<unknown>;
}

/** What is done on a side; answers what came of it, without what differs between two runs. */
export type Script = (side: Side) => Promise<unknown>;

export async function openEnvironment(options: Omit<SideOptions, "who">): Promise<AwsEnvironment> {
  const opened: Side[] = [];
  const open = async (who: Who) => {
    const side = await openSide({ ...options, who });
    opened.push(side);
    return side;
  };
  const close = async () => {
    for (const side of opened.splice(0)) await side.close();
  };
  try {
    const env = { upstreams: await open("upstream's manager"), ours: await open("ours"), close };
    await onBoth(env, (side) => side.restart());
    return env;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A row whose script is played on both sides, which must answer the same and leave equal clouds. */
export function row(id: string, title: string, script: Script): Row {
  return { id, title, run: (env) => play(env, script) };
}

async function play(env: AwsEnvironment, script: Script): Promise<string> {
  await onBoth(env, ({ lab }) => lab.forgetCalls());
  const [ours, upstreams] = await onBoth(env, async (side) => {
    const outcome = await script(side);
    await side.lab.untilQuiet();
    return { outcome, calls: await side.lab.calls() };
  });
  same(ours.outcome, upstreams.outcome, "what came of it, beside upstream's,");
  return `${await equalClouds(env)}; ${textOfCalls(ours.calls, upstreams.calls)}`;
}

/** Also the other cluster's resources, which nobody may touch. */
async function equalClouds(env: AwsEnvironment): Promise<string> {
  const [ours, upstreams] = await onBoth(env, ({ lab }) => lab.snapshot());
  const differing = differencesOf(ours, upstreams);
  demand(differing.length === 0, `${differing.length} resources differ: ${differing.join("; ")}`);
  return `all resources equal of ${resourcesIn(ours)}`;
}

/** At the same time; a failure says on which side. */
export function onBoth<T>(
  { ours, upstreams }: AwsEnvironment,
  work: (side: Side) => Promise<T>,
): Promise<[T, T]> {
  const named = (side: Side) =>
    work(side).catch((error: unknown) => {
      throw new Error(`${side.who}: ${messageOf(error)}`);
    });
  return Promise.all([named(ours), named(upstreams)]);
}

/** What of the cloud is waited for: resources of a kind by their names, and how each of them is as JSON. */
export interface Shown {
  readonly kind: string;
  readonly name: RegExp;
  readonly holds?: RegExp;
  readonly lacks?: RegExp;
}

export async function untilShown({ lab }: Side, ...wanted: readonly Shown[]): Promise<void> {
  await eventually(
    async () => {
      const snapshot = await lab.snapshot();
      for (const { kind, name, holds = /./, lacks = /^$/ } of wanted) {
        const found = Object.entries(snapshot[kind] ?? {}).filter(([key]) => name.test(key));
        demand(found.length > 0, `there is no ${name.source} among the ${kind}`);
        for (const [key, value] of found) {
          const text = JSON.stringify(value);
          demand(holds.test(text) && !lacks.test(text), `${kind}/${key} is ${text}`);
        }
      }
    },
    { withinMs: 120_000 },
  );
}
