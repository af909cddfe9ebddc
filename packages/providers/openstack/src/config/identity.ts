import type { GlobalOptions } from "./cloud-conf.ts";
import { invalidConfig } from "./invalid-config.ts";

/** A user, a project or an application credential's owner: by id, or by name with a domain. */
export type Named =
  | { readonly id: string }
  | { readonly name: string; readonly domain: Domain | undefined };
export type Domain = { readonly id: string } | { readonly name: string };

/** The credentials for logging in to Keystone (spec §2). */
export type Credentials =
  | {
      readonly method: "password";
      readonly user: Named;
      readonly password: string;
      readonly scope: Named | undefined;
    }
  | {
      readonly method: "applicationCredential";
      readonly credential:
        | { readonly id: string }
        | { readonly name: string; readonly user: Named };
      readonly secret: string;
    }
  | { readonly method: "token"; readonly token: string; readonly scope: Named | undefined }
  | {
      readonly method: "trust";
      readonly trustee: Named;
      readonly password: string;
      readonly trustId: string;
    };

export type EndpointInterface = "public" | "internal" | "admin";

/** Paths of the TLS files, and whether the server is verified at all. */
export interface TlsOptions {
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly insecure: boolean;
}

/** Who we are, and where. */
export interface Identity {
  /** Keystone's URL, ending in `/v3`. */
  readonly authUrl: string;
  readonly credentials: Credentials;
  readonly interface: EndpointInterface;
  /** Undefined: the catalog's only region. */
  readonly region: string | undefined;
  readonly tls: TlsOptions;
}

/** `[Global]` complemented by clouds.yaml, with the field names of the former. */
export type IdentityOptions = Partial<Omit<GlobalOptions, "useClouds" | "cloudsFile" | "cloud">>;

/**
 * Returns the identity that the options describe. Throws ProviderError `Invalid` for missing options and for two login methods at
 * once; if both an id and a name are given for the same object, the id counts.
 */
export function identityOf(options: IdentityOptions, file: string): Identity {
  const { authUrl, caFile, certFile, keyFile, tlsInsecure = false } = options;
  if (authUrl === undefined) throw missing(file, "auth-url", "auth-url, the address of Keystone");
  return {
    authUrl: /\/v3$/.test(authUrl) ? authUrl : `${authUrl.replace(/\/v2\.0$/, "")}/v3`,
    credentials: credentialsOf(options, file),
    interface: options.osEndpointType ?? "public",
    region: options.region,
    tls: { caFile, certFile, keyFile, insecure: tlsInsecure },
  };
}

function credentialsOf(options: IdentityOptions, file: string): Credentials {
  const ways = Object.keys(WAYS).filter((way) => WAYS[way as Way].isMeant(options)) as Way[];
  const [way, ...others] = ways;
  if (way === undefined) {
    throw missing(
      file,
      "application-credential-id",
      "credentials: an application credential, a user with a password, a token or a trust",
    );
  }
  if (others.length > 0) {
    const names = ways.map((each) => WAYS[each].name).join(" and ");
    throw invalidConfig(
      `${file} contradicts itself: it has ${names}, but only one can be used; remove the others.`,
      "password",
    );
  }
  return WAYS[way].read(options, file);
}

type Way = Credentials["method"];

const WAYS: Readonly<
  Record<
    Way,
    {
      readonly name: string;
      isMeant(options: IdentityOptions): boolean;
      read(options: IdentityOptions, file: string): Credentials;
    }
  >
> = {
  applicationCredential: {
    name: "an application credential",
    isMeant: ({ applicationCredentialId: id, applicationCredentialName: name }) =>
      id !== undefined || name !== undefined,
    read: (options, file) => {
      const { applicationCredentialId: id, applicationCredentialName: name } = options;
      const secret = options.applicationCredentialSecret;
      const field = "application-credential-secret";
      if (secret === undefined) throw missing(file, field, `${field} for its credential`);
      const credential =
        id === undefined ? { name: name ?? "", user: userOf(options, file) } : { id };
      return { method: "applicationCredential", credential, secret };
    },
  },
  password: {
    name: "a password",
    isMeant: ({ password }) => password !== undefined,
    read: (options, file) => {
      const { password = "" } = options;
      return {
        method: "password",
        user: userOf(options, file),
        password,
        scope: projectOf(options),
      };
    },
  },
  token: {
    name: "a token",
    isMeant: ({ token }) => token !== undefined,
    read: (options) => {
      const { token = "" } = options;
      return { method: "token", token, scope: projectOf(options) };
    },
  },
  trust: {
    name: "a trust",
    isMeant: ({ trustId }) => trustId !== undefined,
    read: ({ trustId = "", trusteeId: id, trusteePassword: password }, file) => {
      if (id === undefined) throw missing(file, "trustee-id", "trustee-id for its trust");
      const field = "trustee-password";
      if (password === undefined) throw missing(file, field, `${field} for its trust`);
      return { method: "trust", trustee: { id }, password, trustId };
    },
  },
};

function userOf(options: IdentityOptions, file: string): Named {
  const { userId: id, username: name } = options;
  const user = namedBy({ id, name }, domainOf("user", options));
  if (user === undefined)
    throw missing(file, "username", "user-id or username for its credentials");
  if ("name" in user && user.domain === undefined) {
    throw missing(file, "user-domain-name", "user-domain-id or user-domain-name for its username");
  }
  return user;
}

/** Undefined: the token's own scope, or the user's default project. */
function projectOf(options: IdentityOptions): Named | undefined {
  const { tenantId: id, tenantName: name } = options;
  return namedBy({ id, name }, domainOf("tenant", options));
}

function namedBy(
  { id, name }: { readonly id: string | undefined; readonly name: string | undefined },
  domain: Domain | undefined,
): Named | undefined {
  if (id !== undefined) return { id };
  return name === undefined ? undefined : { name, domain };
}

/** Returns the domain of the user or of the project, or the common one. */
function domainOf(whose: "user" | "tenant", options: IdentityOptions): Domain | undefined {
  const own = { id: options[`${whose}DomainId`], name: options[`${whose}DomainName`] };
  const either = (own.id ?? own.name) ? own : { id: options.domainId, name: options.domainName };
  if (either.id !== undefined) return { id: either.id };
  return either.name === undefined ? undefined : { name: either.name };
}

function missing(file: string, field: string, what: string) {
  return invalidConfig(`${file} lacks ${what}; add it.`, field);
}
