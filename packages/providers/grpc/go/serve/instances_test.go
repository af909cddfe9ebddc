package serve

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	cloudprovider "k8s.io/cloud-provider"
)

const (
	batch  = providerv1.LookupMode_LOOKUP_MODE_BATCH
	single = providerv1.LookupMode_LOOKUP_MODE_SINGLE
)

func TestMetadataBecomesFacts(t *testing.T) {
	cloud := newTestCloud()
	cloud.metadata = func(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		return &cloudprovider.InstanceMetadata{
			ProviderID: "testcloud:///" + node.Name, InstanceType: "m1", Zone: "a", Region: "r",
			NodeAddresses:    []v1.NodeAddress{{Type: v1.NodeInternalIP, Address: "10.0.0.1"}},
			AdditionalLabels: map[string]string{"rack": "7"},
		}, nil
	}
	f := begun(t, cloud, Options{})
	first := node("first", "", ready(v1.ConditionTrue))
	f.sync(true, first)
	answer := f.describe(soon(t), batch, first)
	facts := answer.GetLookups()[0].GetFound()
	if facts.GetProviderId() != "testcloud:///first" || facts.GetInstanceType() != "m1" || facts.GetZone() != "a" || facts.GetRegion() != "r" ||
		facts.GetAddresses()[0].GetAddress() != "10.0.0.1" || facts.GetAdditionalLabels()["rack"] != "7" || facts.GetAsOfMs() == 0 {
		t.Errorf("facts are %v", facts)
	}
	if calls := answer.GetCalls(); len(calls) != 1 || calls[0].GetOperation() != "InstanceMetadata" || calls[0].GetTarget() != "first" {
		t.Errorf("calls are %v", calls)
	}
}

func TestOneBadNodeNeverFailsTheOthers(t *testing.T) {
	cloud := newTestCloud()
	cloud.metadata = func(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		switch node.Name {
		case "gone":
			return nil, fmt.Errorf("looking: %w", cloudprovider.InstanceNotFound)
		case "panics":
			panic("index out of range")
		case "fails":
			return nil, errors.New("boom")
		case "nothing":
			return nil, nil
		}
		return &cloudprovider.InstanceMetadata{ProviderID: node.Spec.ProviderID}, nil
	}
	f := begun(t, cloud, Options{})
	nodes := []*v1.Node{}
	for _, name := range []string{"there", "gone", "panics", "fails", "nothing"} {
		nodes = append(nodes, node(name, "testcloud:///"+name, ready(v1.ConditionTrue)))
	}
	for _, one := range nodes {
		f.sync(false, one)
	}
	lookups := f.describe(soon(t), batch, nodes...).GetLookups()
	if lookups[0].GetFound().GetProviderId() != "testcloud:///there" {
		t.Errorf("there: %v", lookups[0])
	}
	proof := lookups[1].GetAbsent().GetProof()
	if proof.GetBy() != providerv1.AbsenceSubject_ABSENCE_SUBJECT_PROVIDER_ID || proof.GetCloudShowsOthers() != providerv1.Certainty_CERTAINTY_YES || proof.GetAtMs() == 0 {
		t.Errorf("gone: %v", lookups[1])
	}
	if failed := lookups[2].GetFailed(); failed.GetCode() != unavailable || failed.GetMessage() != "the provider panicked: index out of range" {
		t.Errorf("panics: %v", lookups[2])
	}
	if failed := lookups[3].GetFailed(); failed.GetMessage() != "boom" || failed.GetTarget() != "testcloud:///fails" || failed.GetMayBeDone() {
		t.Errorf("fails: %v", lookups[3])
	}
	if lookups[4].GetFailed() == nil {
		t.Errorf("nothing: %v", lookups[4])
	}
}

func TestSingleReadAsksForExistenceAndPower(t *testing.T) {
	cloud := newTestCloud()
	cloud.metadata = func(context.Context, *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		return nil, errors.New("metadata were asked for")
	}
	cloud.exists = func(_ context.Context, node *v1.Node) (bool, error) { return node.Name != "gone", nil }
	cloud.shutdown = func(_ context.Context, node *v1.Node) (bool, error) { return node.Name == "off", nil }
	f := begun(t, cloud, Options{})
	off, on, gone := node("off", "testcloud:///off"), node("on", "testcloud:///on"), node("gone", "testcloud:///gone")
	f.sync(true, off, on, gone)
	lookups := f.describe(soon(t), single, off, on).GetLookups()
	if lookups[0].GetFound().GetPower() != providerv1.PowerState_POWER_STATE_STOPPED || lookups[1].GetFound().GetPower() != providerv1.PowerState_POWER_STATE_RUNNING {
		t.Errorf("power is %v", lookups)
	}
	answer := f.describe(soon(t), single, gone)
	if answer.GetLookups()[0].GetAbsent().GetProof().GetCloudShowsOthers() != providerv1.Certainty_CERTAINTY_YES {
		t.Errorf("gone: %v", answer)
	}
	if len(answer.GetCalls()) != 2 {
		t.Errorf("an absence is one question and one about another machine, not %v", answer.GetCalls())
	}
}

func TestCloudThatShowsNothingSaysSo(t *testing.T) {
	cloud := newTestCloud()
	cloud.exists = func(context.Context, *v1.Node) (bool, error) { return false, nil }
	f := begun(t, cloud, Options{})
	gone, other := node("gone", "testcloud:///gone"), node("other", "testcloud:///other", ready(v1.ConditionTrue))
	f.sync(true, gone)
	shows := func() providerv1.Certainty {
		return f.describe(soon(t), single, gone).GetLookups()[0].GetAbsent().GetProof().GetCloudShowsOthers()
	}
	if shows() != providerv1.Certainty_CERTAINTY_UNSPECIFIED {
		t.Error("no other Node is known, so nothing is")
	}
	f.sync(false, other)
	if shows() != providerv1.Certainty_CERTAINTY_NO {
		t.Error("the machine of the other Node is not there either")
	}
}

func TestANodeThatIsNotReadyIsAskedForAsUpstreamDoes(t *testing.T) {
	cloud := newTestCloud()
	cloud.exists = func(_ context.Context, node *v1.Node) (bool, error) { return node.Name != "terminated", nil }
	cloud.shutdown = func(context.Context, *v1.Node) (bool, error) { return true, nil }
	f := begun(t, cloud, Options{})
	off := node("off", "testcloud:///off", ready(v1.ConditionUnknown))
	terminated := node("terminated", "testcloud:///terminated", ready(v1.ConditionFalse))
	fresh := node("fresh", "", ready(v1.ConditionFalse))
	fresh.Spec.Taints = []v1.Taint{{Key: "node.cloudprovider.kubernetes.io/uninitialized", Value: "true", Effect: v1.TaintEffectNoSchedule}}
	f.sync(true, off, terminated, fresh)
	answer := f.describe(soon(t), batch, off, terminated, fresh)
	lookups := answer.GetLookups()
	if lookups[0].GetFound().GetPower() != providerv1.PowerState_POWER_STATE_STOPPED || lookups[1].GetAbsent() == nil ||
		lookups[2].GetFound() == nil || lookups[2].GetFound().GetPower() != providerv1.PowerState_POWER_STATE_UNSPECIFIED {
		t.Errorf("answers are %v", lookups)
	}
	if len(answer.GetCalls()) != 5 {
		t.Errorf("3 questions for the first, 1 for the second, 1 for the third, not %v", answer.GetCalls())
	}
}

func TestIDOfAnotherCloudIsForeignAndNeverAbsent(t *testing.T) {
	cloud := newTestCloud()
	cloud.exists = func(context.Context, *v1.Node) (bool, error) { return false, nil }
	f := begun(t, cloud, Options{OtherSchemes: []string{"metal"}})
	foreign, metal := node("foreign", "gce://p/z/i"), node("metal", "metal://1")
	f.sync(true, foreign, metal)
	lookups := f.describe(soon(t), single, foreign, metal).GetLookups()
	if lookups[0].GetForeign() == nil || lookups[1].GetAbsent() == nil {
		t.Errorf("answers are %v", lookups)
	}
}

func TestTheProviderSeesTheObjectsThatCameAndNoOthers(t *testing.T) {
	cloud := newTestCloud()
	var labels atomic.Value
	cloud.metadata = func(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		labels.Store(node.Labels["rack"])
		return &cloudprovider.InstanceMetadata{}, nil
	}
	f := begun(t, cloud, Options{})
	first := node("first", "", ready(v1.ConditionTrue))
	first.Labels = map[string]string{"rack": "1"}
	assertUnknown(t, f, first)
	f.sync(true, first)
	f.describe(soon(t), batch, first)
	if labels.Load() != "1" {
		t.Errorf("the provider saw the rack %v", labels.Load())
	}
	changed := first.DeepCopy()
	changed.ResourceVersion, changed.Labels = "2", map[string]string{"rack": "2"}
	assertUnknown(t, f, changed)
	f.sync(false, changed)
	f.describe(soon(t), batch, changed)
	if labels.Load() != "2" {
		t.Errorf("the provider saw the rack %v", labels.Load())
	}
	// A request that was on its way when the Node changed.
	f.describe(soon(t), batch, first)
	if _, err := f.client.SyncObjects(soon(t), &providerv1.SyncObjectsRequest{DeletedUids: []string{"uid-first"}}); err != nil {
		t.Fatal(err)
	}
	assertUnknown(t, f, changed)
}

func assertUnknown(t *testing.T, f *fixture, node *v1.Node) {
	t.Helper()
	var trailer metadata.MD
	request := &providerv1.DescribeInstancesRequest{Refs: []*providerv1.InstanceRef{instanceRef(node)}}
	_, err := f.client.DescribeInstances(soon(t), request, grpc.Trailer(&trailer))
	if status.Code(err) != codes.FailedPrecondition {
		t.Fatalf("an unknown object is %v", err)
	}
	missing := &providerv1.UnknownObjects{}
	read(t, trailer, unknownObjectsTrailer, missing)
	if refs := missing.GetRefs(); len(refs) != 1 || refs[0].GetUid() != string(node.UID) || refs[0].GetResourceVersion() != node.ResourceVersion {
		t.Errorf("unknown are %v", refs)
	}
}

func TestAnObjectThatCannotBeReadFailsAlone(t *testing.T) {
	f := begun(t, newTestCloud(), Options{})
	good, bad := node("good", "", ready(v1.ConditionTrue)), node("bad", "")
	f.sync(true, good)
	broken := &providerv1.ClusterObject{Ref: refOf(bad), Name: "bad", Json: []byte(`{"spec": 7}`)}
	if _, err := f.client.SyncObjects(soon(t), &providerv1.SyncObjectsRequest{Upserts: []*providerv1.ClusterObject{broken}}); err != nil {
		t.Fatal(err)
	}
	lookups := f.describe(soon(t), batch, good, bad).GetLookups()
	if lookups[0].GetFound() == nil || lookups[1].GetFailed().GetCode() != invalid {
		t.Errorf("answers are %v", lookups)
	}
}

func TestNoMoreMethodsRunAtATimeThanMay(t *testing.T) {
	const most, asked = 3, 60
	cloud := newTestCloud()
	// Each method that has begun waits for leave to end, so that as many run as may.
	begins, mayEnd := make(chan struct{}, asked), make(chan struct{})
	cloud.metadata = func(context.Context, *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		begins <- struct{}{}
		<-mayEnd
		return &cloudprovider.InstanceMetadata{}, nil
	}
	f := begun(t, cloud, Options{Concurrency: Concurrency{Instances: most}})
	var nodes []*v1.Node
	for index := range asked {
		nodes = append(nodes, node(fmt.Sprintf("node-%d", index), "", ready(v1.ConditionTrue)))
		f.sync(false, nodes[index])
	}
	ctx := soon(t)
	go func() {
		defer close(mayEnd)
		for range most {
			select {
			case <-begins:
			case <-ctx.Done():
				t.Errorf("fewer than %d methods run at the same time", most)
				return
			}
		}
		select {
		case <-begins:
			t.Errorf("more than %d methods run at the same time", most)
		case <-time.After(100 * time.Millisecond):
		}
	}()
	f.describe(ctx, batch, nodes...)
}

func TestWhatIsNotAnsweredInTimeFailsAndTheRestIsAnswered(t *testing.T) {
	cloud := newTestCloud()
	released := make(chan struct{})
	t.Cleanup(func() { close(released) })
	cloud.metadata = func(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		if node.Name == "hangs" {
			// As a provider that knows no context.
			<-released
		}
		return &cloudprovider.InstanceMetadata{}, nil
	}
	f := begun(t, cloud, Options{})
	quick, hangs := node("quick", "", ready(v1.ConditionTrue)), node("hangs", "", ready(v1.ConditionTrue))
	f.sync(true, quick, hangs)
	lookups := f.describe(within(t, 2*time.Second), batch, quick, hangs).GetLookups()
	if lookups[0].GetFound() == nil || lookups[1].GetFailed().GetCode() != timedOut {
		t.Errorf("answers are %v", lookups)
	}
}

func TestDeadlineAndCancellationReachTheProvider(t *testing.T) {
	cloud := newTestCloud()
	began, seen := make(chan struct{}), make(chan error, 1)
	cloud.metadata = func(ctx context.Context, _ *v1.Node) (*cloudprovider.InstanceMetadata, error) {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("the request's deadline was not passed on")
		}
		close(began)
		<-ctx.Done()
		seen <- ctx.Err()
		return nil, ctx.Err()
	}
	f := begun(t, cloud, Options{})
	first := node("first", "", ready(v1.ConditionTrue))
	f.sync(true, first)
	ctx, cancel := context.WithCancel(soon(t))
	go func() {
		<-began
		cancel()
	}()
	request := &providerv1.DescribeInstancesRequest{Refs: []*providerv1.InstanceRef{instanceRef(first)}}
	if _, err := f.client.DescribeInstances(ctx, request); status.Code(err) != codes.Canceled {
		t.Errorf("a cancelled request ends with %v", err)
	}
	if err := <-seen; !errors.Is(err, context.Canceled) {
		t.Errorf("the provider saw %v", err)
	}
}

// olderCloud has the older Instances and Zones alone.
type olderCloud struct {
	*testCloud
	knownByName map[types.NodeName]string
}

// The Node for which the older cloud has no ID.
const withoutID = types.NodeName("without-id")

func (c *olderCloud) Instances() (cloudprovider.Instances, bool) { return c, true }

func (c *olderCloud) InstanceID(_ context.Context, name types.NodeName) (string, error) {
	if id, has := c.knownByName[name]; has {
		return id, nil
	}
	if name == withoutID {
		return "", cloudprovider.NotImplemented
	}
	return "", cloudprovider.InstanceNotFound
}

func (c *olderCloud) NodeAddressesByProviderID(context.Context, string) ([]v1.NodeAddress, error) {
	return nil, cloudprovider.NotImplemented
}

func (c *olderCloud) NodeAddresses(context.Context, types.NodeName) ([]v1.NodeAddress, error) {
	return []v1.NodeAddress{{Type: v1.NodeHostName, Address: "by-name"}}, nil
}

func (c *olderCloud) InstanceExistsByProviderID(_ context.Context, id string) (bool, error) {
	return id == "testcloud://i-1", nil
}

func TestOlderInstancesAreAskedAsUpstreamAsksThem(t *testing.T) {
	cloud := &olderCloud{newTestCloud(), map[types.NodeName]string{"named": "i-1"}}
	cloud.EnableInstancesV2 = false
	cloud.Zone = cloudprovider.Zone{FailureDomain: "a", Region: "r"}
	cloud.InstanceTypes = map[types.NodeName]string{"testcloud://i-1": "m1"}
	f := serving(t, cloud, Options{})
	announced := f.initialize(nil).GetCapabilities()
	if announced.GetInstances() == nil || !announced.GetZones() {
		t.Errorf("announced are %v", announced)
	}
	named, unnamed, gone := node("named", ""), node("unnamed", ""), node("gone", "testcloud://i-2")
	named.Status.Conditions = []v1.NodeCondition{ready(v1.ConditionTrue)}
	f.sync(true, named, unnamed, gone)
	answer := f.describe(soon(t), batch, named, unnamed, gone)
	facts := answer.GetLookups()[0].GetFound()
	if facts.GetProviderId() != "testcloud://i-1" || facts.GetInstanceType() != "m1" || facts.GetZone() != "a" || facts.GetAddresses()[0].GetAddress() != "by-name" {
		t.Errorf("facts are %v", facts)
	}
	if by := answer.GetLookups()[1].GetAbsent().GetProof().GetBy(); by != providerv1.AbsenceSubject_ABSENCE_SUBJECT_NAME {
		t.Errorf("unnamed: %v", answer.GetLookups()[1])
	}
	if by := f.describe(soon(t), single, gone).GetLookups()[0].GetAbsent().GetProof().GetBy(); by != providerv1.AbsenceSubject_ABSENCE_SUBJECT_PROVIDER_ID {
		t.Errorf("gone by %v", by)
	}
}

func TestOlderInstancesMayHaveNoIDs(t *testing.T) {
	cloud := &olderCloud{newTestCloud(), map[types.NodeName]string{"named": "i-1"}}
	cloud.EnableInstancesV2 = false
	f := begun(t, cloud, Options{})
	without, named := node(string(withoutID), "", ready(v1.ConditionTrue)), node("named", "", ready(v1.ConditionTrue))
	f.sync(true, without, named)
	lookups := f.describe(soon(t), batch, without, named).GetLookups()
	if facts := lookups[0].GetFound(); facts == nil || !facts.GetWithoutIds() || facts.ProviderId != nil {
		t.Errorf("without an ID: %v", lookups[0])
	}
	if facts := lookups[1].GetFound(); facts == nil || facts.GetWithoutIds() {
		t.Errorf("with an ID: %v", lookups[1])
	}
}

// zonelessCloud gives Zones and says that it has none.
type zonelessCloud struct{ *olderCloud }

func (c *zonelessCloud) Zones() (cloudprovider.Zones, bool) { return c, false }

func TestOlderInstancesMayHaveNoZones(t *testing.T) {
	cloud := &zonelessCloud{&olderCloud{newTestCloud(), map[types.NodeName]string{"named": "i-1"}}}
	cloud.EnableInstancesV2 = false
	cloud.Zone = cloudprovider.Zone{FailureDomain: "a", Region: "r"}
	f := begun(t, cloud, Options{})
	named := node("named", "", ready(v1.ConditionTrue))
	f.sync(true, named)
	if facts := f.describe(soon(t), batch, named).GetLookups()[0].GetFound(); facts == nil || facts.GetZone() != "" || facts.GetRegion() != "" {
		t.Errorf("facts are %v", facts)
	}
}
