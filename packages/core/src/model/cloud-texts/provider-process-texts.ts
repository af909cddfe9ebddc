import type { RecordedText } from "../language/recorded.ts";
import { t } from "../language/text.ts";

/** The messages about a provider in a process of its own. */
export const PROVIDER_PROCESS_TEXTS: readonly RecordedText[] = [
  ([name]) => t`${name} is running but reports that it is not serving`,
  ([name]) => t`${name} is being started`,
  ([name]) => t`${name} is being connected to`,
  ([name]) => t`${name} is no longer used, because the controller is shutting down`,
  ([name]) => t`${name} was stopped, because the controller is shutting down`,
  ([name, code, seconds]) =>
    t`${name} exited with code ${code}; it will be restarted in ${seconds} s`,
  ([name, signal, seconds]) =>
    t`${name} was killed by ${signal}; it will be restarted in ${seconds} s`,
  ([name, why, seconds], answer) =>
    t`${name} could not be started: ${answer(why)}; it will be restarted in ${seconds} s`,
  ([name, seconds]) => t`${name} closed the connection; it will be restarted in ${seconds} s`,
  ([name, seconds]) => t`${name} did not open its socket; it will be restarted in ${seconds} s`,
  ([name, seconds]) =>
    t`${name} did not answer the handshake; it will be restarted in ${seconds} s`,
  ([name, why, seconds], answer) =>
    t`${name} cannot be used: ${answer(why)}; it will be restarted in ${seconds} s`,
  ([name, count, seconds]) =>
    t`${name} did not answer ${count} health checks in a row; it will be restarted in ${seconds} s`,
  ([name, time, seconds]) =>
    t`${name} reported for ${time} s that it is not serving; it will be restarted in ${seconds} s`,
  ([name]) => t`${name} closed the connection; it is tried again every few seconds`,
  ([name, path]) =>
    t`${name} is not available yet: ${path} does not exist; it is tried again every few seconds`,
  ([name]) => t`${name} did not answer the handshake; it is tried again every few seconds`,
  ([name, why], answer) =>
    t`${name} cannot be used: ${answer(why)}; it is tried again every few seconds`,
  ([name, why], answer) =>
    t`${name} is not trusted: ${answer(why)}; it is tried again every few seconds`,
  () => t`The provider is no longer used`,
  () => t`The provider process answered too few lookups`,
  ([provider]) =>
    t`The provider process ${provider} gave an answer that this release does not understand: report this to its author`,
  ([provider]) =>
    t`The provider process ${provider} says that a machine is absent, but not how it looked for it: report this to its author`,
  ([provider, answered, asked, operation]) =>
    t`The provider process ${provider} answered ${answered} of ${asked} questions of ${operation}: report this to its author`,
  ([provider, operation, longest, most]) =>
    t`The provider process ${provider} answered ${operation} with a list of ${longest} entries, but no more than ${most} are read; none of them was used`,
  ([provider]) =>
    t`The provider process ${provider} serves load balancers in a style that this release does not know: install a version of it that supports this release`,
  ([provider, why], answer) =>
    t`A plan of the provider process ${provider} cannot be read: ${answer(why)}; report this to its author`,
  ([operation, why], answer) => t`${operation} of the provider process failed: ${answer(why)}`,
  ([operation]) => t`${operation} failed, and the provider process does not say why`,
  ([socket]) => t`No provider process answers at the socket ${socket}`,
  ([name]) => t`The connection with the provider process ${name} was lost`,
  ([name]) => t`The connection with the provider process ${name} was closed`,
  () => t`The answer does not mention the load balancer`,
  () => t`The answer does not mention the route`,
  () => t`The answer does not mention the volume`,
];
