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
    help: "HTTPS port; 0 turns the listener off.",
  }),
  "disable-http2-serving": flag("Secure serving", bool, {
    initial: false,
    help: "Serve HTTP/1.1 only.",
  }),
  "cert-dir": flag("Secure serving", text, {
    initial: "",
    help: "Directory for the generated certificate pair if no files are given; empty keeps the pair in memory.",
  }),
  "tls-cert-file": flag("Secure serving", text, {
    initial: "",
    help: "The server's certificate with its chain, in PEM.",
  }),
  "tls-private-key-file": flag("Secure serving", text, {
    initial: "",
    help: "The certificate's private key, in PEM.",
  }),
  "tls-cipher-suites": flag("Secure serving", list, {
    initial: [],
    help: "Cipher suites by IANA name; empty means Node.js's default.",
  }),
  "tls-curve-preferences": flag("Secure serving", integers, {
    initial: [],
    help: "Curves by IANA number; empty means Node.js's default.",
  }),
  "tls-min-version": flag("Secure serving", text, {
    initial: "",
    help: "VersionTLS12 or VersionTLS13; empty means VersionTLS12. Earlier versions are refused (RFC 8996).",
  }),
  "tls-sni-cert-key": flag("Secure serving", repeated, {
    initial: [],
    help: "Additional pairs: certificate,key, followed by a colon and host names if needed.",
  }),
  "http2-max-streams-per-connection": flag("Secure serving", int(0), {
    initial: 0,
    help: "Maximum number of streams per HTTP/2 connection; 0 means 250.",
  }),
  "permit-port-sharing": flag("Secure serving", bool, {
    initial: false,
    help: "Listen even if another process uses the port.",
    idle: SHARING,
  }),
  "permit-address-sharing": flag("Secure serving", bool, {
    initial: false,
    help: "Listen even if the port is in TIME_WAIT.",
    idle: SHARING,
  }),
};

export const WEBHOOK_FLAGS = {
  webhooks: flag("Webhook serving", list, {
    initial: [],
    help: "Webhooks to host: * means all, NAME turns one on, -NAME turns it off. The only one is pvlabel.",
  }),
  "webhook-bind-address": flag("Webhook serving", ip, {
    initial: "0.0.0.0",
    help: "Address to listen on.",
  }),
  "webhook-secure-port": flag("Webhook serving", int(0, 65_535), {
    initial: 10_260,
    help: "HTTPS port; 0 turns the listener off.",
  }),
  "webhook-disable-http2-serving": flag("Webhook serving", bool, {
    initial: false,
    help: "Serve HTTP/1.1 only.",
    idle: IDLE.webhookHttp2,
  }),
  "webhook-cert-dir": flag("Webhook serving", text, {
    initial: "",
    help: "Directory for the generated certificate pair if no files are given; empty keeps the pair in memory.",
  }),
  "webhook-tls-cert-file": flag("Webhook serving", text, {
    initial: "",
    help: "The server's certificate with its chain, in PEM.",
  }),
  "webhook-tls-private-key-file": flag("Webhook serving", text, {
    initial: "",
    help: "The certificate's private key, in PEM.",
  }),
  "webhook-tls-cipher-suites": flag("Webhook serving", list, {
    initial: [],
    help: "Cipher suites by IANA name; empty means Node.js's default.",
  }),
  "webhook-tls-curve-preferences": flag("Webhook serving", integers, {
    initial: [],
    help: "Curves by IANA number; empty means Node.js's default.",
  }),
  "webhook-tls-min-version": flag("Webhook serving", text, {
    initial: "",
    help: "VersionTLS12 or VersionTLS13; empty means VersionTLS12. Earlier versions are refused (RFC 8996).",
  }),
  "webhook-tls-sni-cert-key": flag("Webhook serving", repeated, {
    initial: [],
    help: "Additional pairs: certificate,key, followed by a colon and host names if needed.",
  }),
};
