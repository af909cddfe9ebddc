import { badRequest } from "../http/api-error.ts";

export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean;
type Requirement = LabelSelector;

/** Parses `a=b,c in (d,e),!f,g>1`; "" selects everything. Throws ApiError 400 in upstream's words. */
export function parseLabelSelector(source: string): LabelSelector {
  const reader = new Reader(tokenise(source));
  const requirements: Requirement[] = [];
  while (!reader.atEnd) {
    requirements.push(readRequirement(reader));
    if (!reader.atEnd) {
      const comma = reader.take();
      if (comma !== ",") throw badRequest(`found '${comma}', expected: ',' or 'end of string'`);
    }
  }
  return (labels) => requirements.every((fits) => fits(labels));
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  take(): string {
    const token = this.peek();
    this.#at += 1;
    return token;
  }
}

function readRequirement(reader: Reader): Requirement {
  if (reader.peek() === "!") {
    reader.take();
    const absent = readKey(reader);
    return (labels) => !Object.hasOwn(labels, absent);
  }
  const key = readKey(reader);
  if (reader.atEnd || reader.peek() === ",") return (labels) => Object.hasOwn(labels, key);
  return readComparison(key, reader);
}

function readKey(reader: Reader): string {
  const key = reader.take();
  if (key === "" || /^[=!<>(),]/.test(key)) {
    throw badRequest(
      `unable to parse requirement: found '${key}', expected: !, identifier, or 'end of string'`,
    );
  }
  return key;
}

type Comparison = (key: string, reader: Reader) => Requirement;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  "=": equals,
  "==": equals,
  "!=": (key, reader) => {
    const value = readValue(reader);
    return (labels) => labels[key] !== value;
  },
  in: (key, reader) => {
    const values = readValues(reader);
    return (labels) => values.has(labels[key]);
  },
  notin: (key, reader) => {
    const values = readValues(reader);
    return (labels) => !values.has(labels[key]);
  },
  ">": (key, reader) => compareNumbers(key, reader, (label, bound) => label > bound),
  "<": (key, reader) => compareNumbers(key, reader, (label, bound) => label < bound),
};

function readComparison(key: string, reader: Reader): Requirement {
  const operator = reader.take();
  const comparison = COMPARISONS[operator];
  if (comparison === undefined) {
    throw badRequest(
      `unable to parse requirement: found '${operator}', expected: in, notin, =, ==, !=, gt, lt`,
    );
  }
  return comparison(key, reader);
}

function equals(key: string, reader: Reader): Requirement {
  const value = readValue(reader);
  return (labels) => labels[key] === value;
}

/** An empty value has no token: `a=` selects the empty label. */
function readValue(reader: Reader): string {
  return reader.atEnd || reader.peek() === "," ? "" : reader.take();
}

function readValues(reader: Reader): ReadonlySet<string | undefined> {
  if (reader.take() !== "(")
    throw badRequest("unable to parse requirement: found '', expected: '('");
  const values = new Set<string>();
  while (reader.peek() !== ")") {
    if (reader.atEnd)
      throw badRequest("unable to parse requirement: found '', expected: ',', or ')'");
    const token = reader.take();
    if (token !== ",") values.add(token);
  }
  reader.take();
  return values;
}

function compareNumbers(
  key: string,
  reader: Reader,
  fits: (label: number, bound: number) => boolean,
): Requirement {
  const written = readValue(reader);
  const bound = Number(written);
  if (!/^-?\d+$/.test(written)) {
    throw badRequest(
      `unable to parse requirement: values[0]: Invalid value: "${written}": for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  return (labels) => {
    const label = labels[key];
    return label !== undefined && /^-?\d+$/.test(label) && fits(Number(label), bound);
  };
}

const SIGNS = ["==", "!=", "=", "!", ">", "<", "(", ")", ","];

/** Returns the words and signs of a label selector, without spaces. */
function tokenise(source: string): readonly string[] {
  const tokens: string[] = [];
  let rest = source.trimStart();
  while (rest !== "") {
    const token = SIGNS.find((sign) => rest.startsWith(sign)) ?? word(rest);
    tokens.push(token);
    rest = rest.slice(token.length).trimStart();
  }
  return tokens;
}

function word(rest: string): string {
  return /^[^\s=!<>(),]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
}
