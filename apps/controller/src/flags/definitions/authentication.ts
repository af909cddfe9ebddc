import { flag, IDLE } from "../flag.ts";
import { bool, duration, list, text } from "../kinds.ts";

const requestHeader = { idle: IDLE.clientCertificates };

export const AUTHENTICATION_FLAGS = {
  "authentication-kubeconfig": flag("Authentication", text, {
    initial: "",
    help: "The cluster that reviews callers' tokens; empty: every caller is anonymous.",
  }),
  "authentication-token-webhook-cache-ttl": flag("Authentication", duration, {
    initial: 10_000,
    help: "How long the answer to a token review is kept.",
  }),
  "authentication-skip-lookup": flag("Authentication", bool, {
    initial: false,
    help: "Do not look up the cluster's client CA.",
    ...requestHeader,
  }),
  "authentication-tolerate-lookup-failure": flag("Authentication", bool, {
    initial: false,
    help: "Start although that look-up fails.",
    ...requestHeader,
  }),
  "client-ca-file": flag("Authentication", text, {
    initial: "",
    help: "CA of client certificates.",
    ...requestHeader,
  }),
  "requestheader-client-ca-file": flag("Authentication", text, {
    initial: "",
    help: "CA of a front proxy.",
    ...requestHeader,
  }),
  "requestheader-allowed-names": flag("Authentication", list, {
    initial: [],
    help: "Common names of a front proxy.",
    ...requestHeader,
  }),
  "requestheader-username-headers": flag("Authentication", list, {
    initial: ["x-remote-user"],
    help: "Headers with the user's name.",
    ...requestHeader,
  }),
  "requestheader-uid-headers": flag("Authentication", list, {
    initial: [],
    help: "Headers with the user's UID.",
    ...requestHeader,
  }),
  "requestheader-group-headers": flag("Authentication", list, {
    initial: ["x-remote-group"],
    help: "Headers with the user's groups.",
    ...requestHeader,
  }),
  "requestheader-extra-headers-prefix": flag("Authentication", list, {
    initial: ["x-remote-extra-"],
    help: "Prefix of headers with more about the user.",
    ...requestHeader,
  }),
  "authorization-kubeconfig": flag("Authorization", text, {
    initial: "",
    help: "The cluster that decides what a caller may read; empty: nothing but the paths below.",
  }),
  "authorization-webhook-cache-authorized-ttl": flag("Authorization", duration, {
    initial: 10_000,
    help: "How long a yes is kept.",
  }),
  "authorization-webhook-cache-unauthorized-ttl": flag("Authorization", duration, {
    initial: 10_000,
    help: "How long a no is kept.",
  }),
  "authorization-always-allow-paths": flag("Authorization", list, {
    initial: ["/healthz", "/readyz", "/livez"],
    help: "Paths that everybody may read, exactly as written.",
  }),
};
