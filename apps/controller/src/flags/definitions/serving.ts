import { flag, IDLE } from "../flag.ts";
import { bool, int, integers, ip, list, repeated, text } from "../kinds.ts";

const SHARING = "Node.js decides how its listeners share ports";

export const SERVING_FLAGS = {
  "bind-address": flag("Secure serving", ip, {
    initial: "0.0.0.0",
    help: "Address to listen on.",
  }),
  "secure-port": flag("Secure serving", int(0, 65_535), {
    initial: 10_258,
    help: "Port of HTTPS; 0 is no listener.",
  }),
  "disable-http2-serving": flag("Secure serving", bool, {
    initial: false,
    help: "Speak HTTP/1.1 alone.",
  }),
  "cert-dir": flag("Secure serving", text, {
    initial: "",
    help: "Folder of the certificate pair when no files are named; empty keeps it in memory.",
  }),
  "tls-cert-file": flag("Secure serving", text, {
    initial: "",
    help: "Certificate of the server, PEM, with its chain.",
  }),
  "tls-private-key-file": flag("Secure serving", text, {
    initial: "",
    help: "Private key of the certificate, PEM.",
  }),
  "tls-cipher-suites": flag("Secure serving", list, {
    initial: [],
    help: "Cipher suites by IANA name; empty is Node's choice.",
  }),
  "tls-curve-preferences": flag("Secure serving", integers, {
    initial: [],
    help: "Curves by their IANA number; empty is Node's choice.",
  }),
  "tls-min-version": flag("Secure serving", text, {
    initial: "",
    help: "VersionTLS12 or VersionTLS13; empty is VersionTLS12. Earlier versions are refused (RFC 8996).",
  }),
  "tls-sni-cert-key": flag("Secure serving", repeated, {
    initial: [],
    help: "Further pairs: certificate,key and names after a colon.",
  }),
  "http2-max-streams-per-connection": flag("Secure serving", int(0), {
    initial: 0,
    help: "Most streams of one HTTP/2 connection; 0 is 250.",
  }),
  "permit-port-sharing": flag("Secure serving", bool, {
    initial: false,
    help: "Listen although another process has the port.",
    idle: SHARING,
  }),
  "permit-address-sharing": flag("Secure serving", bool, {
    initial: false,
    help: "Listen although the port is in TIME_WAIT.",
    idle: SHARING,
  }),
};

export const WEBHOOK_FLAGS = {
  webhooks: flag("Webhook serving", list, {
    initial: [],
    help: "Webhooks to host: * is all, NAME turns one on, -NAME off; there is pvlabel.",
  }),
  "webhook-bind-address": flag("Webhook serving", ip, {
    initial: "0.0.0.0",
    help: "Address to listen on.",
  }),
  "webhook-secure-port": flag("Webhook serving", int(0, 65_535), {
    initial: 10_260,
    help: "Port of HTTPS; 0 is no listener.",
  }),
  "webhook-disable-http2-serving": flag("Webhook serving", bool, {
    initial: false,
    help: "Speak HTTP/1.1 alone.",
    idle: IDLE.webhookHttp2,
  }),
  "webhook-cert-dir": flag("Webhook serving", text, {
    initial: "",
    help: "Folder of the certificate pair when no files are named; empty keeps it in memory.",
  }),
  "webhook-tls-cert-file": flag("Webhook serving", text, {
    initial: "",
    help: "Certificate of the server, PEM, with its chain.",
  }),
  "webhook-tls-private-key-file": flag("Webhook serving", text, {
    initial: "",
    help: "Private key of the certificate, PEM.",
  }),
  "webhook-tls-cipher-suites": flag("Webhook serving", list, {
    initial: [],
    help: "Cipher suites by IANA name; empty is Node's choice.",
  }),
  "webhook-tls-curve-preferences": flag("Webhook serving", integers, {
    initial: [],
    help: "Curves by their IANA number; empty is Node's choice.",
  }),
  "webhook-tls-min-version": flag("Webhook serving", text, {
    initial: "",
    help: "VersionTLS12 or VersionTLS13; empty is VersionTLS12. Earlier versions are refused (RFC 8996).",
  }),
  "webhook-tls-sni-cert-key": flag("Webhook serving", repeated, {
    initial: [],
    help: "Further pairs: certificate,key and names after a colon.",
  }),
};
