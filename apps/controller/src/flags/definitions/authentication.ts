import { flag } from "../flag.ts";
import { bool, duration, list, text } from "../kinds.ts";

export const AUTHENTICATION_FLAGS = {
  "authentication-kubeconfig": flag("Authentication", text, {
    initial: "",
    help: "The cluster that reviews callers' tokens and tells its client CA; empty: the pod's own, and outside of a pod none.",
  }),
  "authentication-token-webhook-cache-ttl": flag("Authentication", duration, {
    initial: 10_000,
    help: "How long the answer to a token review is kept.",
  }),
  "authentication-skip-lookup": flag("Authentication", bool, {
    initial: false,
    help: "Do not look up the cluster's client CA and front proxy.",
  }),
  "authentication-tolerate-lookup-failure": flag("Authentication", bool, {
    initial: false,
    help: "Start although that look-up is forbidden.",
  }),
  "client-ca-file": flag("Authentication", text, {
    initial: "",
    help: "CA of client certificates, PEM; instead of the cluster's.",
  }),
  "requestheader-client-ca-file": flag("Authentication", text, {
    initial: "",
    help: "CA of a front proxy, PEM; instead of the cluster's front proxy.",
  }),
  "requestheader-allowed-names": flag("Authentication", list, {
    initial: [],
    help: "Common names of that front proxy; empty: any that its CA signed.",
  }),
  "requestheader-username-headers": flag("Authentication", list, {
    initial: ["x-remote-user"],
    help: "Headers in which it names the user.",
  }),
  "requestheader-uid-headers": flag("Authentication", list, {
    initial: [],
    help: "Headers with the user's UID.",
  }),
  "requestheader-group-headers": flag("Authentication", list, {
    initial: ["x-remote-group"],
    help: "Headers with the user's groups.",
  }),
  "requestheader-extra-headers-prefix": flag("Authentication", list, {
    initial: ["x-remote-extra-"],
    help: "Prefixes of headers with more about the user.",
  }),
  "authorization-kubeconfig": flag("Authorization", text, {
    initial: "",
    help: "The cluster that decides what a caller may read; empty: the pod's own, and outside of a pod nothing but the paths below.",
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
