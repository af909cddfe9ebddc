import { flag } from "../flag.ts";
import { bool, duration, list, text } from "../kinds.ts";

export const AUTHENTICATION_FLAGS = {
  "authentication-kubeconfig": flag("Authentication", text, {
    initial: "",
    help: "Kubeconfig of the cluster that reviews callers' tokens and supplies the client CA. If empty: the pod's own cluster, or none outside a pod.",
  }),
  "authentication-token-webhook-cache-ttl": flag("Authentication", duration, {
    initial: 10_000,
    help: "How long the result of a token review is cached.",
  }),
  "authentication-skip-lookup": flag("Authentication", bool, {
    initial: false,
    help: "Do not look up the cluster's client CA and front proxy.",
  }),
  "authentication-tolerate-lookup-failure": flag("Authentication", bool, {
    initial: false,
    help: "Start even if that lookup is forbidden.",
  }),
  "client-ca-file": flag("Authentication", text, {
    initial: "",
    help: "CA of client certificates, in PEM; replaces the cluster's.",
  }),
  "requestheader-client-ca-file": flag("Authentication", text, {
    initial: "",
    help: "CA of a front proxy, in PEM; replaces the cluster's front proxy.",
  }),
  "requestheader-allowed-names": flag("Authentication", list, {
    initial: [],
    help: "Common names that the front proxy may have; empty means any name that its CA has signed.",
  }),
  "requestheader-username-headers": flag("Authentication", list, {
    initial: ["x-remote-user"],
    help: "Headers that hold the user's name.",
  }),
  "requestheader-uid-headers": flag("Authentication", list, {
    initial: [],
    help: "Headers that hold the user's UID.",
  }),
  "requestheader-group-headers": flag("Authentication", list, {
    initial: ["x-remote-group"],
    help: "Headers that hold the user's groups.",
  }),
  "requestheader-extra-headers-prefix": flag("Authentication", list, {
    initial: ["x-remote-extra-"],
    help: "Prefixes of headers that hold further attributes of the user.",
  }),
  "authorization-kubeconfig": flag("Authorization", text, {
    initial: "",
    help: "Kubeconfig of the cluster that decides what a caller may read. If empty: the pod's own cluster; outside a pod, only the paths below may be read.",
  }),
  "authorization-webhook-cache-authorized-ttl": flag("Authorization", duration, {
    initial: 10_000,
    help: "How long a positive decision is cached.",
  }),
  "authorization-webhook-cache-unauthorized-ttl": flag("Authorization", duration, {
    initial: 10_000,
    help: "How long a negative decision is cached.",
  }),
  "authorization-always-allow-paths": flag("Authorization", list, {
    initial: ["/healthz", "/readyz", "/livez"],
    help: "Paths that anybody may read; they are matched exactly.",
  }),
};
