import { notAcceptable } from "./api-error.ts";

/** The forms in which objects are served; `object` is the plain one. */
export type Form = "object" | "table" | "metadata";

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the first form of the Accept header that is supported. Throws ApiError 406 when there is none. */
export function negotiateForm(accept: string | undefined): Form {
  for (const range of mediaRanges(accept)) {
    const form = isJson(range.type) ? formOf(range.parameters) : undefined;
    if (form !== undefined) return form;
  }
  throw notAcceptable();
}

const FORMS: Readonly<Record<string, Form>> = {
  Table: "table",
  PartialObjectMetadata: "metadata",
  PartialObjectMetadataList: "metadata",
};

function formOf(parameters: ReadonlyMap<string, string>): Form | undefined {
  const as = parameters.get("as");
  if (as === undefined) return "object";
  const known =
    parameters.get("g") === "meta.k8s.io" && /^v1(beta1)?$/.test(parameters.get("v") ?? "");
  return known ? FORMS[as] : undefined;
}

/** Returns the content type of aggregated discovery that the client accepts, if any. */
export function aggregatedDiscoveryType(accept: string | undefined): string | undefined {
  for (const { type, parameters } of mediaRanges(accept)) {
    if (!isJson(type)) continue;
    if (parameters.get("as") === undefined) return undefined;
    const fits = parameters.get("as") === "APIGroupDiscoveryList" && parameters.get("v") === "v2";
    if (fits) return "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  }
  return undefined;
}

function isJson(type: string): boolean {
  return type === "application/json" || type === "application/*" || type === "*/*";
}

function mediaRanges(accept: string | undefined): readonly MediaRange[] {
  return (accept === undefined || accept === "" ? "*/*" : accept).split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    return {
      type,
      parameters: new Map(parameters.map((parameter) => splitOnce(parameter, "="))),
    };
  });
}

function splitOnce(source: string, sign: string): readonly [string, string] {
  const at = source.indexOf(sign);
  return at < 0 ? [source, ""] : [source.slice(0, at), source.slice(at + 1)];
}
