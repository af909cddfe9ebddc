package main

import (
	"sync"

	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud"
	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/meta"
	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/mock"
	"google.golang.org/api/compute/v1"
	"k8s.io/cloud-provider-gcp/providers/gce"
)

var cluster = gce.DefaultTestClusterValues()

// newCloud is the provider on its fake, which does of itself what the provider's tests make theirs do: the fake alone keeps
// objects and leaves out what the API does with them, such as giving an address to a forwarding rule.
func newCloud() *gce.Cloud {
	provider := gce.NewFakeGCECloud(cluster)
	provider.AlphaFeatureGate = gce.NewAlphaFeatureGate(nil)
	api := apiOf(provider)
	api.MockTargetPools.AddInstanceHook = mock.AddInstanceHook
	api.MockTargetPools.RemoveInstanceHook = mock.RemoveInstanceHook
	api.MockForwardingRules.InsertHook = mock.InsertFwdRuleHook
	api.MockAddresses.InsertHook = mock.InsertAddressHook
	api.MockAddresses.X = mock.AddressAttributes{}
	api.MockFirewalls.UpdateHook = mock.UpdateFirewallHook
	api.MockFirewalls.PatchHook = mock.UpdateFirewallHook
	api.MockHealthChecks.UpdateHook = mock.UpdateHealthCheckHook
	api.MockRegionBackendServices.UpdateHook = mock.UpdateRegionBackendServiceHook
	api.MockInstanceGroups.X = mock.InstanceGroupAttributes{
		InstanceMap: map[meta.Key]map[string]*compute.InstanceWithNamedPorts{},
		Lock:        &sync.Mutex{},
	}
	api.MockInstanceGroups.AddInstancesHook = mock.AddInstancesHook
	api.MockInstanceGroups.RemoveInstancesHook = mock.RemoveInstancesHook
	api.MockInstanceGroups.ListInstancesHook = mock.ListInstancesHook
	return provider
}

func apiOf(provider *gce.Cloud) *cloud.MockGCE {
	return provider.Compute().(*cloud.MockGCE)
}
