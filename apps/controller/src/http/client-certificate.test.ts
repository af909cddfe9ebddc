import { expect, it } from "vitest";
import type { CaBundle, ClientAuthorities } from "./client-authorities.ts";
import {
  type Caller,
  type ClientCertificate,
  certifiedCaller,
  headersOf,
} from "./client-certificate.ts";

const CLIENTS = bundle("client-ca");
const FRONT_PROXY = {
  ca: bundle("proxy-ca"),
  allowedNames: ["front-proxy"],
  usernameHeaders: ["X-Remote-User"],
  uidHeaders: ["X-Remote-Uid"],
  groupHeaders: ["X-Remote-Group"],
  extraHeaderPrefixes: ["X-Remote-Extra-"],
};
const BOTH: ClientAuthorities = { clients: CLIENTS, frontProxy: FRONT_PROXY };
const JANE = ["X-Remote-User", "jane", "X-Remote-Group", "a,b", "x-remote-group", "c"];

interface Row {
  readonly what: string;
  readonly certificate?: Partial<ClientCertificate>;
  readonly headers?: readonly string[];
  readonly authorities?: Partial<ClientAuthorities>;
  readonly is: Caller | "nobody" | undefined;
}

it.each<Row>([
  {
    what: "a client is its common name, with its organisations as groups",
    is: { username: "kim", groups: ["ops", "system:authenticated"] },
  },
  {
    what: "headers of a client that is no front proxy say nothing",
    headers: JANE,
    is: { username: "kim", groups: ["ops", "system:authenticated"] },
  },
  { what: "one that nobody signed is nobody's", certificate: { isVerified: false }, is: "nobody" },
  {
    what: "one of another authority is nobody's",
    certificate: { signers: ["other"] },
    is: "nobody",
  },
  {
    what: "one says nothing where no authority is known",
    authorities: { clients: undefined, frontProxy: undefined },
    is: undefined,
  },
  { what: "one without a name says nothing", certificate: { commonName: "" }, is: undefined },
  {
    what: "a front proxy names the caller, whose groups keep their commas",
    certificate: { commonName: "front-proxy", signers: ["proxy-ca"] },
    headers: [
      ...JANE,
      "X-Remote-Uid",
      "7",
      "X-Remote-Extra-scopes%2Fx",
      "read",
      "x-remote-user",
      "joe",
    ],
    is: {
      username: "jane",
      uid: "7",
      groups: ["a,b", "c", "system:authenticated"],
      extra: { "scopes/x": ["read"] },
    },
  },
  {
    what: "a proxy by another name is none",
    certificate: { commonName: "stranger", signers: ["proxy-ca"] },
    headers: JANE,
    is: "nobody",
  },
  {
    what: "any name will do where none is demanded",
    certificate: { commonName: "stranger", signers: ["proxy-ca"] },
    headers: ["X-Remote-User", "jane"],
    authorities: { frontProxy: { ...FRONT_PROXY, allowedNames: [] } },
    is: { username: "jane", groups: ["system:authenticated"], extra: {} },
  },
  {
    what: "a front proxy that names nobody calls as anybody does",
    certificate: { commonName: "front-proxy", signers: ["proxy-ca"] },
    is: undefined,
  },
])("$what", ({ certificate, headers = [], authorities, is }) => {
  const shown: ClientCertificate = {
    commonName: "kim",
    organizations: ["ops"],
    isVerified: true,
    signers: ["client-ca"],
    ...certificate,
  };
  expect(certifiedCaller(shown, headersOf(headers), { ...BOTH, ...authorities })).toEqual(is);
});

function bundle(fingerprint: string): CaBundle {
  return { pem: fingerprint, fingerprints: new Set([fingerprint]) };
}
