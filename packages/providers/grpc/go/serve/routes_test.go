package serve

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/fake"
)

func (f *fixture) listRoutes() []*providerv1.Route {
	f.t.Helper()
	answer, err := f.client.ListRoutes(soon(f.t), &providerv1.ListRoutesRequest{ClusterName: "test"})
	if err != nil {
		f.t.Fatal(err)
	}
	return answer.GetRoutes()
}

func TestRoutesAreMadeListedAndRemoved(t *testing.T) {
	cloud := &forgivingRoutes{newTestCloud()}
	f := begun(t, cloud, Options{})
	first := "first"
	create := &providerv1.CreateRouteRequest{
		Fence: held(), ClusterName: "test", NameHint: "uid", Destination: "10.1.0.0/24", Target: &providerv1.RouteTarget{NodeName: &first},
		TargetAddresses: []*providerv1.NodeAddress{{Type: "InternalIP", Address: "10.0.0.1"}},
	}
	made, err := f.client.CreateRoute(soon(t), create)
	if err != nil {
		t.Fatal(err)
	}
	listed := f.listRoutes()
	if len(listed) != 1 || listed[0].GetId() != made.GetRoute().GetId() || listed[0].GetTarget().GetNodeName() != "first" ||
		listed[0].GetTargetAddresses()[0].GetAddress() != "10.0.0.1" || listed[0].GetName() == "" {
		t.Errorf("listed are %v, made was %v", listed, made)
	}
	// The fake refuses one that is there, as clouds do.
	again, err := f.client.CreateRoute(soon(t), create)
	if err != nil || again.GetRoute().GetId() != listed[0].GetId() {
		t.Errorf("made again: %v, %v", again, err)
	}
	remove := &providerv1.DeleteRouteRequest{Fence: held(), ClusterName: "test", Route: listed[0]}
	for range 2 {
		if _, err := f.client.DeleteRoute(soon(t), remove); err != nil {
			t.Errorf("removed: %v", err)
		}
	}
	if left := f.listRoutes(); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

// forgivingRoutes takes back the error that upstream's fake keeps for every later call.
type forgivingRoutes struct{ *testCloud }

func (c *forgivingRoutes) Routes() (cloudprovider.Routes, bool) { return c, true }

func (c *forgivingRoutes) CreateRoute(ctx context.Context, cluster, hint string, route *cloudprovider.Route) error {
	defer func() { c.Err = nil }()
	return c.Cloud.CreateRoute(ctx, cluster, hint, route)
}

func (c *forgivingRoutes) DeleteRoute(ctx context.Context, cluster string, route *cloudprovider.Route) error {
	defer func() { c.Err = nil }()
	return c.Cloud.DeleteRoute(ctx, cluster, route)
}

func TestRoutesKeepWhatUpstreamSaysOfThem(t *testing.T) {
	cloud := newTestCloud()
	route := cloudprovider.Route{
		Name: "r", DestinationCIDR: "10.1.0.0/24", Blackhole: true, EnableNodeAddresses: true,
		TargetNodeAddresses: []v1.NodeAddress{{Type: v1.NodeInternalIP, Address: "10.0.0.1"}},
	}
	cloud.RouteMap["r"] = &fake.Route{ClusterName: "test", Route: route}
	twin := route
	twin.Name = "twin"
	cloud.RouteMap["twin"] = &fake.Route{ClusterName: "test", Route: twin}
	f := begun(t, cloud, Options{})
	listed := f.listRoutes()
	if len(listed) != 2 || listed[0].GetId() == listed[1].GetId() {
		t.Fatalf("two routes have an ID each: %v", listed)
	}
	one := listed[0]
	if !one.GetBlackhole() || !one.GetComparesAddresses() || one.GetTarget().NodeName != nil || one.GetTargetAddresses()[0].GetType() != "InternalIP" {
		t.Errorf("listed is %v", one)
	}
	if back := listedRoute(one); back.Name != one.GetName() || !back.Blackhole || !back.EnableNodeAddresses || back.TargetNode != "" {
		t.Errorf("given back is %v", back)
	}
}

func TestVolumesAreLabelledByTheirPersistentVolume(t *testing.T) {
	cloud := newTestCloud()
	cloud.labels = func(volume *v1.PersistentVolume) (map[string]string, error) {
		switch volume.Name {
		case "gone":
			return nil, cloudprovider.DiskNotFound
		case "fails":
			return nil, errors.New("boom")
		}
		return map[string]string{v1.LabelTopologyZone: "a__b", v1.LabelFailureDomainBetaRegion: "r", "tier": "fast"}, nil
	}
	f := begun(t, cloud, Options{})
	request := &providerv1.DescribeVolumesRequest{Refs: []*providerv1.VolumeRef{{Id: "unread", SourceJson: []byte("{")}}}
	for _, name := range []string{"there", "gone", "fails"} {
		text, err := json.Marshal(&v1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		request.Refs = append(request.Refs, &providerv1.VolumeRef{Id: "disk-" + name, SourceJson: text})
	}
	answer, err := f.client.DescribeVolumes(soon(t), request)
	if err != nil {
		t.Fatal(err)
	}
	lookups := answer.GetLookups()
	if lookups[0].GetFailed().GetCode() != invalid || lookups[2].GetAbsent() == nil || lookups[3].GetFailed().GetMessage() != "boom" {
		t.Errorf("answers are %v", lookups)
	}
	if facts := lookups[1].GetFound(); facts.GetId() != "disk-there" || facts.GetZone() != "a__b" || facts.GetRegion() != "r" || facts.GetAdditionalLabels()["tier"] != "fast" || len(facts.GetAdditionalLabels()) != 1 {
		t.Errorf("facts are %v", facts)
	}
}

func TestACapabilityThatIsMissingIsUnimplemented(t *testing.T) {
	cloud := newTestCloud()
	cloud.DisableRoutes = true
	f := serving(t, cloud, Options{})
	if announced := f.initialize(nil).GetCapabilities(); announced.GetRoutes() != nil || announced.GetLoadBalancers() == nil || !announced.GetReportsCalls() {
		t.Errorf("announced are %v", announced)
	}
	if _, err := f.client.ListRoutes(soon(t), &providerv1.ListRoutesRequest{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("listing them is %v", err)
	}
	if _, err := f.client.ObserveLoadBalancers(soon(t), &providerv1.ObserveLoadBalancersRequest{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("the declarative style is %v", err)
	}
}
