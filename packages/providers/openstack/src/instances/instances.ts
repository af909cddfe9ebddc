import {
  type CallContext,
  type DescribeOptions,
  type InstanceRef,
  type Instances,
  instanceKey,
  isProviderError,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import { type OpenStackClient, PAGE_SIZE } from "../api/client.ts";
import { isNotFound } from "../api/errors.ts";
import type { OpenStackConfig } from "../config/config.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import { factsOf } from "./facts.ts";
import { InstanceReads, type ServerListing } from "./reads.ts";
import { EXPECTED_PROVIDER_ID, parseProviderId, type Server } from "./server.ts";

export interface InstancesOptions {
  readonly client: OpenStackClient;
  readonly config: Pick<OpenStackConfig, "networking" | "regional">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  warn(message: string): void;
}

/**
 * The maximum number of servers whose ports are requested by id at once: the URL must stay short enough for proxies in front of
 * Neutron.
 */
const MOST_BY_ID = 100;

/** Nova's servers. Many are looked up by one listing of servers and one of ports, few individually. */
export function createInstances(options: InstancesOptions): Instances {
  // How many requests the last full listing took, which decides when individual reads are cheaper.
  let listingTook = 2;
  return {
    describe: async (refs, { mode }, context) => {
      const [questions, known] = sorted(refs);
      if (questions.length === 0) return known;
      const lookups = new Lookups(options, context);
      const few = questions.length < Math.min(listingTook, MOST_BY_ID);
      const answers =
        mode === "single" || few
          ? await lookups.each(questions, mode)
          : await lookups.listed(questions, (requests) => {
              listingTook = requests;
            });
      return new Map([...known, ...answers]);
    },
  };
}

/** The question to Nova about one node: by the server's id, or by the node's name. */
interface Question {
  readonly key: string;
  readonly ref: InstanceRef;
  readonly id: string | undefined;
  /** The region in the provider ID. */
  readonly region: string | undefined;
}

/** Splits nodes into distinct questions, and answers for those that need none. */
function sorted(refs: readonly InstanceRef[]): readonly [readonly Question[], Map<string, Lookup>] {
  const questions = new Map<string, Question>();
  const known = new Map<string, Lookup>();
  for (const ref of refs) {
    const key = instanceKey(ref);
    const parsed = ref.providerID === undefined ? undefined : parseProviderId(ref.providerID);
    if (parsed?.kind === "foreign") known.set(key, parsed);
    else if (parsed?.kind === "malformed")
      known.set(key, { ...parsed, expected: EXPECTED_PROVIDER_ID });
    else questions.set(key, { key, ref, id: parsed?.id, region: parsed?.region });
  }
  return [[...questions.values()], known];
}

type Answer = readonly [string, Lookup];

/** A question with the servers that match it. */
interface Matched {
  readonly question: Question;
  readonly servers: readonly Server[];
  readonly requestId: string | undefined;
  /** Why the result is inconclusive. */
  readonly problem: string | undefined;
}

/** The lookups of one call of `describe`. */
class Lookups {
  readonly #options: InstancesOptions;
  readonly #context: CallContext;
  readonly #reads: InstanceReads;
  readonly #asOf: number;

  constructor(options: InstancesOptions, context: CallContext) {
    this.#options = options;
    this.#context = context;
    this.#reads = new InstanceReads(options.client, context, options.warn);
    this.#asOf = options.now();
  }

  /** Answers with one listing of servers and one of ports, however many are requested; `took` receives the number of requests. */
  listed(
    questions: readonly Question[],
    took: (requests: number) => void,
  ): Promise<readonly Answer[]> {
    return this.#orAllFailed(questions, async () => {
      const { ours, answers, region } = await this.#inRegion(questions);
      if (ours.length === 0) return answers;
      const listing = await this.#reads.servers();
      took(2 * Math.ceil((listing.items.length + 1) / PAGE_SIZE));
      const matched = ours.map((question) => matchIn(listing, question));
      return [...answers, ...(await this.#describe(matched, { region, ports: "all" }))];
    });
  }

  /** Reads each server individually, then lists the ports of those found. */
  each(questions: readonly Question[], mode: DescribeOptions["mode"]): Promise<readonly Answer[]> {
    return this.#orAllFailed(questions, async () => {
      const { ours, answers, region } = await this.#inRegion(questions);
      const matched: Matched[] = [];
      const unmatched = ours.map((question) =>
        this.#orFailed(question, async () => {
          const found = await this.#search(question);
          const isFound = found.servers.length > 0 || found.problem !== undefined;
          if (isFound) matched.push(found);
          return isFound ? [] : [[question.key, await this.#missing(found, mode)] as const];
        }),
      );
      const missing = (await Promise.all(unmatched)).flat();
      const described = chunksOf(matched, MOST_BY_ID).map((chunk) =>
        this.#orAllFailed(
          chunk.map(({ question }) => question),
          () => this.#describe(chunk, { region, ports: "each" }),
        ),
      );
      return [...answers, ...missing, ...(await Promise.all(described)).flat()];
    });
  }

  /** A server in another region is not ours: it is not looked up, and its node is left alone. */
  async #inRegion(questions: readonly Question[]) {
    const region = (await this.#options.client.endpoint("compute", this.#context))?.region;
    const isOurs = (question: Question) => (question.region ?? region) === region;
    const ours = questions.filter(isOurs);
    const answers = questions
      .filter((question) => !isOurs(question))
      .map(({ key }): Answer => [key, { kind: "foreign" }]);
    return { ours, answers, region };
  }

  async #search(question: Question): Promise<Matched> {
    const { id, ref } = question;
    if (id === undefined) return matchIn(await this.#reads.servers(ref.nodeName), question);
    try {
      const { server, requestId } = await this.#reads.server(id);
      return matchIn({ items: [server], unreadable: [], requestId }, question);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { question, servers: [], requestId: error.call.requestId, problem: undefined };
    }
  }

  /** Reports absence only after a read of this instance alone, in a cloud that still answers normally right after. */
  async #missing({ question, requestId }: Matched, mode: DescribeOptions["mode"]): Promise<Lookup> {
    const request = requestId === undefined ? {} : { requestId };
    if (mode === "batch") return { kind: "notListed", ...request };
    const by = question.id === undefined ? "name" : "providerID";
    const cloudShowsOthers = await this.#reads.showsAny();
    return { kind: "absent", proof: { by, cloudShowsOthers, at: this.#options.now(), ...request } };
  }

  async #describe(
    matched: readonly Matched[],
    { region, ports }: { readonly region: string | undefined; readonly ports: "each" | "all" },
  ): Promise<readonly Answer[]> {
    const servers = matched.flatMap((each) => each.servers.slice(0, 1));
    const portsOf = await this.#reads.ports(servers, ports);
    const answers = matched.map((each) =>
      this.#orFailed(each.question, async () => {
        const { question, requestId } = each;
        const request = requestId === undefined ? {} : { requestId };
        const server = onlyServer(each);
        if (server === undefined) return [[question.key, { kind: "notListed", ...request }]];
        const type = await this.#reads.typeOf(server);
        const parts = { server, type, ...(portsOf.get(server.id) ?? { ports: [], subPorts: [] }) };
        const { providerID } = question.ref;
        const { config } = this.#options;
        const facts = factsOf({ ...parts, providerID }, { ...config, region, asOf: this.#asOf });
        const explained = explanationOf(question, server);
        return [[question.key, { kind: "found", facts, explained, ...request }]];
      }),
    );
    return (await Promise.all(answers)).flat();
  }

  async #orAllFailed(
    questions: readonly Question[],
    read: () => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]> {
    try {
      return await read();
    } catch (error) {
      this.#context.signal.throwIfAborted();
      return questions.map(({ key }) => [key, failed(error)]);
    }
  }

  #orFailed(
    question: Question,
    read: () => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]> {
    return this.#orAllFailed([question], read);
  }
}

function failed(error: unknown): Lookup {
  if (isProviderError(error)) return { kind: "failed", error };
  const message = error instanceof Error ? error.message : String(error);
  const call = { provider: PROVIDER, operation: "server_list", cause: error };
  return { kind: "failed", error: new ProviderError("Unavailable", message, call) };
}

/** Nova shows servers of a cell that is down without their names, so any of them may be the one with a name. */
const CELL_IS_DOWN = "its cell is down (status UNKNOWN), so its state is not known";

function matchIn(listing: ServerListing, question: Question): Matched {
  const { id, ref } = question;
  const { items, unreadable, requestId } = listing;
  const isMeant = (server: {
    readonly id: string | undefined;
    readonly name?: string | null | undefined;
  }) => (id === undefined ? server.name === ref.nodeName : server.id?.toLowerCase() === id);
  const servers = items.filter(isMeant);
  const isDown = ({ status, name }: Server) => status === "UNKNOWN" && (id !== undefined || !name);
  const suspects = id === undefined && servers.length === 0 ? items : servers;
  const problem = suspects.some(isDown) ? CELL_IS_DOWN : unreadable.find(isMeant)?.problem;
  return { question, servers, requestId, problem };
}

/** Returns undefined if there is none. Throws ProviderError for several servers, and for an inconclusive result. */
function onlyServer({ question, servers, problem }: Matched): Server | undefined {
  const { nodeName } = question.ref;
  const call = { provider: PROVIDER, operation: "server_list", target: question.id ?? nodeName };
  if (problem !== undefined) {
    const message = `The server of the node ${nodeName} cannot be read: ${problem}.`;
    throw new ProviderError("Unavailable", message, call);
  }
  if (servers.length < 2) return servers[0];
  const ids = servers.map(({ id }) => id).join(", ");
  const message = `${servers.length} servers are named ${nodeName} (${ids}), so it is not known which one is the node's; rename all but one or set the node's provider ID.`;
  throw new ProviderError("Invalid", message, { ...call, field: "name" });
}

/** States that `power` fully describes. */
const PLAIN_STATES = ["ACTIVE", "SHUTOFF", "BUILD"];

function explanationOf({ id, region }: Question, { status }: Server): string {
  const by = id === undefined ? "its name, which no other server has" : "its provider ID";
  const where = region === undefined ? "" : ` with the region ${region}`;
  const state = status && !PLAIN_STATES.includes(status) ? `; Nova says ${status}` : "";
  return `found by ${by}${where}${state}`;
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
