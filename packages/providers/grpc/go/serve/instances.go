package serve

import (
	"context"
	"errors"
	"strings"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	v1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
	cloudproviderapi "k8s.io/cloud-provider/api"
)

// DescribeInstances asks for each machine by itself, as upstream's interface has no listing, many at the same time.
func (s *server) DescribeInstances(ctx context.Context, request *providerv1.DescribeInstancesRequest) (*providerv1.DescribeInstancesResponse, error) {
	provider, err := s.began.current()
	if err != nil {
		return nil, err
	}
	instances, has := instancesOf(provider)
	if !has {
		return nil, withoutCapability("instances")
	}
	asked, err := s.nodesOf(ctx, request.GetRefs())
	if err != nil {
		return nil, err
	}
	looking := &looking{server: s, machines: instances, made: s.newRecord(), scheme: provider.ProviderName()}
	ask := looking.metadata
	if request.GetMode() == providerv1.LookupMode_LOOKUP_MODE_SINGLE {
		ask = looking.existence
	}
	lookups := each(ctx, asked, s.within.instances, ask, looking.late)
	looking.proveAbsences(ctx, asked, lookups)
	return &providerv1.DescribeInstancesResponse{Lookups: lookups, Calls: looking.made.made()}, nil
}

// askedNode is one reference of a request with its Node.
type askedNode struct {
	node *v1.Node
	// Why there is none.
	problem error
}

func (s *server) nodesOf(ctx context.Context, refs []*providerv1.InstanceRef) ([]askedNode, error) {
	resolving := s.objects.resolve()
	asked := make([]askedNode, len(refs))
	for index, ref := range refs {
		node, err := resolving.node(ref.GetNode())
		if err == nil && ref.GetNode() == nil {
			err = errors.New("the request names no Node object, which upstream's interface needs")
		}
		asked[index] = askedNode{node: withID(node, ref.GetProviderId()), problem: err}
	}
	return asked, resolving.unknownObjects(ctx)
}

// withID is the Node under the provider ID that is asked for, as the answer is about that ID.
func withID(node *v1.Node, id string) *v1.Node {
	if node == nil || node.Spec.ProviderID == id {
		return node
	}
	changed := node.DeepCopy()
	changed.Spec.ProviderID = id
	return changed
}

// looking is one request's look-ups.
type looking struct {
	server   *server
	machines machines
	made     *record
	scheme   string
}

func (l *looking) metadata(ctx context.Context, asked askedNode) *providerv1.InstanceLookup {
	if asked.problem != nil {
		return invalidLookup(asked.problem)
	}
	// Upstream asks for these only of a Node that is not ready. Its metadata proves no existence: a cloud may know those of a machine
	// for a while after its end.
	isInDoubt := needsProof(asked.node)
	if isInDoubt {
		if err := l.machines.exists(ctx, l.made, asked.node); err != nil {
			return l.notFound(asked.node, "InstanceExists", err)
		}
	}
	found, err := l.machines.metadata(ctx, l.made, asked.node)
	if err != nil {
		return l.notFound(asked.node, "InstanceMetadata", err)
	}
	facts := factsOf(asked.node, found)
	facts.WithoutIds = l.machines.isWithoutID(found)
	if isInDoubt {
		return l.withPower(ctx, asked.node, facts)
	}
	return lookupOf(facts)
}

func (l *looking) existence(ctx context.Context, asked askedNode) *providerv1.InstanceLookup {
	if asked.problem != nil {
		return invalidLookup(asked.problem)
	}
	if err := l.machines.exists(ctx, l.made, asked.node); err != nil {
		return l.notFound(asked.node, "InstanceExists", err)
	}
	return l.withPower(ctx, asked.node, factsOf(asked.node, &cloudprovider.InstanceMetadata{ProviderID: asked.node.Spec.ProviderID}))
}

func (l *looking) withPower(ctx context.Context, node *v1.Node, facts *providerv1.InstanceFacts) *providerv1.InstanceLookup {
	isShutdown, err := l.machines.isShutdown(ctx, l.made, node)
	switch {
	case errors.Is(err, cloudprovider.NotImplemented):
	case err != nil:
		return l.notFound(node, "InstanceShutdown", err)
	case isShutdown:
		facts.Power = providerv1.PowerState_POWER_STATE_STOPPED
	default:
		facts.Power = providerv1.PowerState_POWER_STATE_RUNNING
	}
	return lookupOf(facts)
}

// notFound is a look-up without facts: absent, another cloud's, or failed.
func (l *looking) notFound(node *v1.Node, method string, err error) *providerv1.InstanceLookup {
	if !errors.Is(err, cloudprovider.InstanceNotFound) {
		return failedLookup(l.server.classify.failure(err, operation{name: method, target: nameInCloud(node)}))
	}
	if !l.server.isOwnID(node.Spec.ProviderID, l.scheme) {
		return &providerv1.InstanceLookup{Result: &providerv1.InstanceLookup_Foreign{Foreign: &providerv1.InstanceForeign{}}}
	}
	proof := &providerv1.AbsenceProof{By: providerv1.AbsenceSubject_ABSENCE_SUBJECT_PROVIDER_ID, AtMs: time.Now().UnixMilli()}
	if node.Spec.ProviderID == "" {
		proof.By = providerv1.AbsenceSubject_ABSENCE_SUBJECT_NAME
	}
	return &providerv1.InstanceLookup{Result: &providerv1.InstanceLookup_Absent{Absent: &providerv1.InstanceAbsent{Proof: proof}}}
}

func (l *looking) late(asked askedNode) *providerv1.InstanceLookup {
	if asked.problem != nil {
		return invalidLookup(asked.problem)
	}
	return failedLookup(&Failure{Code: timedOut, Operation: "InstanceMetadata", Target: nameInCloud(asked.node), Message: "the provider did not answer in time"})
}

// isOwnID: an ID of another scheme that is not found proves nothing about a machine of this cloud.
func (s *server) isOwnID(id, scheme string) bool {
	given, _, isID := strings.Cut(id, "://")
	if !isID || given == scheme || given == s.name || given == s.options.ProviderName {
		return true
	}
	for _, other := range s.options.OtherSchemes {
		if given == other {
			return true
		}
	}
	return false
}

// needsProof: a Node that is not ready, but for one that still waits for the cloud.
func needsProof(node *v1.Node) bool {
	for _, taint := range node.Spec.Taints {
		if taint.Key == cloudproviderapi.TaintExternalCloudProvider {
			return false
		}
	}
	return !isReady(node)
}

func factsOf(node *v1.Node, found *cloudprovider.InstanceMetadata) *providerv1.InstanceFacts {
	facts := &providerv1.InstanceFacts{
		Name: node.Name, InstanceType: found.InstanceType, Zone: found.Zone, Region: found.Region,
		Addresses: addressesOf(found.NodeAddresses), AdditionalLabels: found.AdditionalLabels, AsOfMs: time.Now().UnixMilli(),
	}
	if found.ProviderID != "" {
		facts.ProviderId = &found.ProviderID
	}
	return facts
}

func addressesOf(given []v1.NodeAddress) []*providerv1.NodeAddress {
	addresses := make([]*providerv1.NodeAddress, 0, len(given))
	for _, one := range given {
		addresses = append(addresses, &providerv1.NodeAddress{Type: string(one.Type), Address: one.Address})
	}
	return addresses
}

func lookupOf(facts *providerv1.InstanceFacts) *providerv1.InstanceLookup {
	return &providerv1.InstanceLookup{Result: &providerv1.InstanceLookup_Found{Found: facts}}
}

func failedLookup(failure *Failure) *providerv1.InstanceLookup {
	return &providerv1.InstanceLookup{Result: &providerv1.InstanceLookup_Failed{Failed: failure}}
}

func invalidLookup(problem error) *providerv1.InstanceLookup {
	return failedLookup(&Failure{Code: invalid, Message: problem.Error()})
}

// proveAbsences says of each machine that is absent whether the cloud shows any other: those of the same request, or else the
// machine of another Node, asked for in the same breath. Credentials of the wrong account find none.
func (l *looking) proveAbsences(ctx context.Context, asked []askedNode, lookups []*providerv1.InstanceLookup) {
	var absent []*providerv1.AbsenceProof
	showsOthers := providerv1.Certainty_CERTAINTY_UNSPECIFIED
	for _, lookup := range lookups {
		if lookup.GetFound() != nil {
			showsOthers = providerv1.Certainty_CERTAINTY_YES
		}
		if proof := lookup.GetAbsent().GetProof(); proof != nil {
			absent = append(absent, proof)
		}
	}
	if len(absent) == 0 {
		return
	}
	if showsOthers == providerv1.Certainty_CERTAINTY_UNSPECIFIED {
		showsOthers = l.askForOthers(ctx, asked)
	}
	for _, proof := range absent {
		proof.CloudShowsOthers = showsOthers
	}
}

const mostControls = 3

// askForOthers asks for the machines of up to three Nodes that the request is not about. Many absences at once need one question:
// the next request waits for the answer, which counts for a breath.
func (l *looking) askForOthers(ctx context.Context, asked []askedNode) providerv1.Certainty {
	leave, err := l.server.turns.take(ctx, "other instances")
	if err != nil {
		return providerv1.Certainty_CERTAINTY_UNSPECIFIED
	}
	defer leave()
	if time.Now().Before(l.server.others.shownUntil) {
		return providerv1.Certainty_CERTAINTY_YES
	}
	answer := l.askControls(ctx, l.controls(asked))
	if answer == providerv1.Certainty_CERTAINTY_YES {
		l.server.others.shownUntil = time.Now().Add(oneBreath)
	}
	return answer
}

func (l *looking) askControls(ctx context.Context, controls []*v1.Node) providerv1.Certainty {
	if len(controls) == 0 {
		return providerv1.Certainty_CERTAINTY_UNSPECIFIED
	}
	answer := providerv1.Certainty_CERTAINTY_NO
	for _, control := range controls {
		err := l.machines.exists(ctx, l.made, control)
		if err == nil {
			return providerv1.Certainty_CERTAINTY_YES
		}
		if !errors.Is(err, cloudprovider.InstanceNotFound) {
			answer = providerv1.Certainty_CERTAINTY_UNSPECIFIED
		}
	}
	return answer
}

// controls are Nodes that are ready, if there are any.
func (l *looking) controls(asked []askedNode) []*v1.Node {
	names := map[string]bool{}
	for _, one := range asked {
		if one.node != nil {
			names[one.node.Name] = true
		}
	}
	isOther := func(node *v1.Node) bool { return !names[node.Name] }
	ready := l.server.objects.latestNodes(mostControls, func(node *v1.Node) bool { return isOther(node) && isReady(node) })
	if len(ready) > 0 {
		return ready
	}
	return l.server.objects.latestNodes(mostControls, isOther)
}

func isReady(node *v1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == v1.NodeReady {
			return condition.Status == v1.ConditionTrue
		}
	}
	return false
}

const oneBreath = 2 * time.Second

// otherInstances remembers for a breath that the cloud showed a machine; read and written in the turn "other instances".
type otherInstances struct {
	shownUntil time.Time
}
