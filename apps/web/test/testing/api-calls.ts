import { randomUUID } from "node:crypto";
import type { CreateTokenInput } from "@cloudwright/store/users/api-tokens";
import { Ajv2020, type AnySchemaObject, type ErrorObject } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { openApiDocument } from "../../src/server/http-api/open-api.ts";
import { httpApiRequest } from "../../src/server/http-api/request.ts";
import { peerHeader } from "../../src/server/requests/client.ts";
import { type Browser, ORIGIN } from "./dashboard-server.ts";

/** Creates a token for this user. */
export async function tokenOf(
  user: Browser,
  over: Partial<CreateTokenInput> = {},
): Promise<string> {
  const input = { kind: "personal", name: randomUUID(), role: "viewer", clusters: "all", days: 1 };
  const answer = await user.mutate("tokens.create", { ...input, ...over });
  expect(answer, answer.message).toMatchObject({ status: 200 });
  return (answer.data as { readonly token: string }).token;
}

export interface ApiCall {
  /** Sent unchanged; undefined sends none. */
  readonly authorization: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let addresses = 0;

/** Calls come from different addresses, because wrong tokens from the same one are delayed together. */
export async function callApi(
  path: string,
  { authorization, method = "GET", headers = {} }: ApiCall,
) {
  addresses += 1;
  const response = await httpApiRequest(
    new Request(`${ORIGIN}${path}`, {
      method,
      headers: {
        ...{ [peerHeader()]: `198.51.100.${addresses % 250}`, "user-agent": "a script" },
        ...(authorization === undefined ? {} : { authorization }),
        ...headers,
      },
    }),
  );
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

export type Problems = (name: string, value: unknown) => readonly ErrorObject[];

/** Returns a check of values against the schema with a given name. Compiling one takes seconds, so each is compiled once. */
export function descriptionCheck(): Problems {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const { components } = openApiDocument({ isClosed: true });
  ajv.addSchema({ $id: "api", components } as AnySchemaObject);
  return (name, value) => {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`There is no schema ${name}.`);
    return validate(value) === true ? [] : (validate.errors ?? []);
  };
}

const { paths } = openApiDocument();

/** Returns the name of the schema that describes an address's answer. */
export function schemaOf(path: string): string {
  const { $ref } = paths[path]?.get.responses["200"].content["application/json"].schema ?? {};
  return String($ref).split("/").at(-1) ?? "";
}
