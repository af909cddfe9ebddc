import { describe, expect, it } from "vitest";
import {
  FEATURE_GATES,
  type GateName,
  gateProblems,
  idleGates,
  isGateOn,
} from "./feature-gates.ts";

/** What upstream's own binary lists as `--feature-gates` options: v0.37.1, alpha and beta. */
const LISTED_BY_UPSTREAM = `
APIResponseCompression APIServerIdentity APIServerWebhookAuthenticationToken APIServingWithRoutine AllAlpha AllBeta
AllowParsingUserUIDFromCertAuth AllowUnsafeMalformedObjectDeletion CBORServingAndStorage
CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook ComponentFlagz ComponentStatusz
ConcurrentWatchObjectDecode ConsistentListFromCacheSkipTimeoutFallback ConstrainedImpersonation ContextualLogging
ControllerManagerReleaseLeaderElectionLockOnExit CoordinatedLeaderElection DeclarativeValidationBeta
DetectCacheInconsistency EtcdRangeStream ExcludeAdmissionWebhookVirtualResources ListFromCacheSnapshot
LoggingAlphaOptions LoggingBetaOptions ManifestBasedAdmissionControlConfig NativeHistograms OpenAPIEnums
RemoteRequestHeaderUID ShardedListAndWatch SizeBasedListCostEstimate StorageVersionAPI StorageVersionHash
StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
TokenRequestServiceAccountUIDValidation UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy WatchList
WatchListCompression WebhookRoundTripLoadBalancing`
  .trim()
  .split(/\s+/);

describe("feature gates", () => {
  it.each(LISTED_BY_UPSTREAM)("%s is accepted with either value", (name) => {
    expect(gateProblems({ [name]: true })).toEqual([]);
    expect(gateProblems({ [name]: false })).toEqual([]);
  });

  it.each(["KMSv1", "MutatingAdmissionPolicy"])("%s, which is not locked, is accepted", (name) => {
    expect(gateProblems({ [name]: false })).toEqual([]);
  });

  it.each<[string, boolean]>([
    ["AggregatedDiscoveryRemoveBetaType", true],
    ["DeclarativeValidation", true],
    ["DeclarativeValidationTakeover", false],
    ["SeparateCacheWatchRPC", false],
    ["WatchCacheInitializationPostStartHook", true],
  ])("%s is locked to %s", (name, value) => {
    expect(gateProblems({ [name]: value })).toEqual([]);
    expect(gateProblems({ [name]: !value })).toEqual([
      `--feature-gates has ${name}=${!value}, but Kubernetes 1.37 locks this gate to ${value}: remove it.`,
    ]);
  });

  it.each(["NoSuchGate", "toString", "", "AuthorizeWithSelectors"])(
    '"%s", which upstream does not know, is refused',
    (name) => {
      expect(gateProblems({ [name]: true })).toEqual([
        `--feature-gates names "${name}", which is not a gate of Kubernetes 1.37: remove it.`,
      ]);
    },
  );

  it("every problem is reported", () => {
    const given = { NoSuchGate: true, DeclarativeValidation: false, WatchList: false };
    expect(gateProblems(given)).toHaveLength(2);
  });

  it.each<[GateName, Readonly<Record<string, boolean>>, boolean]>([
    ["LoggingAlphaOptions", {}, false],
    ["LoggingAlphaOptions", { AllAlpha: true }, true],
    ["LoggingAlphaOptions", { AllAlpha: true, LoggingAlphaOptions: false }, false],
    ["LoggingAlphaOptions", { AllBeta: true }, false],
    ["CloudControllerManagerWatchBasedRoutesReconciliation", { AllAlpha: true }, true],
    ["WatchList", { AllBeta: false }, false],
    ["CoordinatedLeaderElection", { AllBeta: true }, true],
    ["MutatingAdmissionPolicy", { AllBeta: false, AllAlpha: false }, true],
  ])("%s with %j is %s", (name, given, on) => {
    expect(isGateOn(given, name)).toBe(on);
  });

  it("gates without effect are told apart from the others", () => {
    expect(idleGates({ WatchList: true, AllAlpha: true, KMSv1: false })).toEqual([
      "WatchList",
      "KMSv1",
    ]);
    expect(Object.keys(FEATURE_GATES)).toHaveLength(49);
  });
});
