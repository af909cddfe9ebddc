/** A feature gate as upstream has it in the release that `UPSTREAM` names. */
export interface FeatureGate {
  readonly testbed: "alpha" | "beta" | "ga" | "deprecated";
  /** Its value where nobody gives one. */
  readonly initial: boolean;
  /** Another value than the initial one is refused. */
  readonly locked?: true;
  /** What it changes here when it is on; absent: nothing. */
  readonly effect?: string;
}

const UPSTREAM = "Kubernetes 1.37";

/**
 * All gates of a cloud controller manager of upstream's v0.37: those of k8s.io/controller-manager, component-base and
 * apiserver, as that release's own `GetAll()` lists them at its version.
 */
export const FEATURE_GATES = {
  APIResponseCompression: { testbed: "beta", initial: true },
  APIServerIdentity: { testbed: "beta", initial: true },
  APIServerWebhookAuthenticationToken: { testbed: "alpha", initial: false },
  APIServingWithRoutine: { testbed: "alpha", initial: false },
  AggregatedDiscoveryRemoveBetaType: { testbed: "deprecated", initial: true, locked: true },
  AllAlpha: { testbed: "alpha", initial: false, effect: "the default of all alpha gates" },
  AllBeta: { testbed: "beta", initial: false, effect: "the default of all beta gates" },
  AllowParsingUserUIDFromCertAuth: { testbed: "beta", initial: true },
  AllowUnsafeMalformedObjectDeletion: { testbed: "beta", initial: true },
  CBORServingAndStorage: { testbed: "alpha", initial: false },
  CloudControllerManagerWatchBasedRoutesReconciliation: {
    testbed: "alpha",
    initial: false,
    effect: "routes are listed every 5 minutes and when nodes change, instead of every 10 seconds",
  },
  CloudControllerManagerWebhook: { testbed: "alpha", initial: false },
  ComponentFlagz: { testbed: "beta", initial: true },
  ComponentStatusz: { testbed: "beta", initial: true },
  ConcurrentWatchObjectDecode: { testbed: "beta", initial: true },
  ConsistentListFromCacheSkipTimeoutFallback: { testbed: "alpha", initial: false },
  ConstrainedImpersonation: { testbed: "beta", initial: true },
  ContextualLogging: { testbed: "beta", initial: true },
  ControllerManagerReleaseLeaderElectionLockOnExit: { testbed: "alpha", initial: false },
  CoordinatedLeaderElection: { testbed: "beta", initial: false },
  DeclarativeValidation: { testbed: "ga", initial: true, locked: true },
  DeclarativeValidationBeta: { testbed: "beta", initial: true },
  DeclarativeValidationTakeover: { testbed: "deprecated", initial: false, locked: true },
  DetectCacheInconsistency: { testbed: "beta", initial: true },
  EtcdRangeStream: { testbed: "beta", initial: true },
  ExcludeAdmissionWebhookVirtualResources: { testbed: "beta", initial: true },
  KMSv1: { testbed: "deprecated", initial: false },
  ListFromCacheSnapshot: { testbed: "beta", initial: true },
  LoggingAlphaOptions: {
    testbed: "alpha",
    initial: false,
    effect: "the alpha logging flags are accepted",
  },
  LoggingBetaOptions: { testbed: "beta", initial: true },
  ManifestBasedAdmissionControlConfig: { testbed: "beta", initial: true },
  MutatingAdmissionPolicy: { testbed: "ga", initial: true },
  NativeHistograms: { testbed: "beta", initial: true },
  OpenAPIEnums: { testbed: "beta", initial: true },
  RemoteRequestHeaderUID: { testbed: "beta", initial: true },
  SeparateCacheWatchRPC: { testbed: "deprecated", initial: false, locked: true },
  ShardedListAndWatch: { testbed: "alpha", initial: false },
  SizeBasedListCostEstimate: { testbed: "beta", initial: true },
  StorageVersionAPI: { testbed: "alpha", initial: false },
  StorageVersionHash: { testbed: "beta", initial: true },
  StructuredAuthenticationConfigurationEgressSelector: { testbed: "beta", initial: true },
  StructuredAuthenticationConfigurationJWKSMetrics: { testbed: "beta", initial: true },
  TokenRequestServiceAccountUIDValidation: { testbed: "beta", initial: true },
  UnauthenticatedHTTP2DOSMitigation: { testbed: "beta", initial: true },
  UnknownVersionInteroperabilityProxy: { testbed: "beta", initial: true },
  WatchCacheInitializationPostStartHook: { testbed: "ga", initial: true, locked: true },
  WatchList: { testbed: "beta", initial: true },
  WatchListCompression: { testbed: "beta", initial: true },
  WebhookRoundTripLoadBalancing: { testbed: "beta", initial: true },
} as const satisfies Readonly<Record<string, FeatureGate>>;
export type GateName = keyof typeof FEATURE_GATES;

/** `--feature-gates` as it was given. */
type Given = Readonly<Record<string, boolean>>;

/** Whether a gate is on: as given itself, else as all of its stage, else as upstream has it. */
export function isGateOn(given: Given, name: string): boolean {
  const gate = gateOf(name);
  if (gate === undefined) return false;
  const { testbed, initial } = gate;
  return given[name] ?? ofStage(given, testbed) ?? initial;
}

function ofStage(given: Given, testbed: FeatureGate["testbed"]): boolean | undefined {
  if (testbed === "alpha") return given.AllAlpha;
  return testbed === "beta" ? given.AllBeta : undefined;
}

/** Why given gates are refused, one sentence each: upstream does not know them, or holds them at their value. */
export function gateProblems(given: Given): readonly string[] {
  return Object.entries(given).flatMap(([name, on]) => gateProblem(name, on) ?? []);
}

function gateProblem(name: string, on: boolean): string | undefined {
  const gate = gateOf(name);
  if (gate === undefined) {
    return `--feature-gates names "${name}", which is not a gate of ${UPSTREAM}: remove it.`;
  }
  return gate.locked === true && gate.initial !== on
    ? `--feature-gates has ${name}=${on}, but ${UPSTREAM} locks this gate to ${gate.initial}: remove it.`
    : undefined;
}

/** Those of the given gates that change nothing here. */
export function idleGates(given: Given): readonly string[] {
  return Object.keys(given).filter((name) => gateOf(name)?.effect === undefined);
}

function gateOf(name: string): FeatureGate | undefined {
  return Object.entries<FeatureGate>(FEATURE_GATES).find(([each]) => each === name)?.[1];
}

/** A line for each gate, for the help. */
export function gateLines(): readonly string[] {
  return Object.entries<FeatureGate>(FEATURE_GATES).map(([name, gate]) => {
    const { testbed, initial, locked, effect } = gate;
    const value = locked === true ? `locked to ${initial}` : `default ${initial}`;
    return `  ${name} (${testbed}, ${value})${effect === undefined ? "" : `: ${effect}`}`;
  });
}
