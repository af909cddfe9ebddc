package serve

import (
	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	cloudprovider "k8s.io/cloud-provider"
)

// capabilities announces what the provider says that it has, each as wide as upstream's interface is.
func (s *server) capabilities(provider cloudprovider.Interface) *providerv1.Capabilities {
	announced := &providerv1.Capabilities{HasClusterId: provider.HasClusterID(), ReportsCalls: true}
	if _, has := instancesOf(provider); has {
		announced.Instances = &providerv1.InstanceAbilities{ByName: true, NeedsNodes: true}
	}
	_, announced.Zones = zonesOf(provider)
	if _, has := loadBalancersOf(provider); has {
		announced.LoadBalancers = loadBalancerAbilities()
	}
	if _, has := routesOf(provider); has {
		announced.Routes = &providerv1.RouteAbilities{Families: bothFamilies()}
	}
	if _, has := provider.(cloudprovider.PVLabeler); has {
		announced.Volumes = &providerv1.VolumeAbilities{Sources: s.volumeSources(), NeedsSource: true}
	}
	if s.options.Adjust != nil {
		s.options.Adjust(announced)
	}
	return announced
}

// loadBalancerAbilities: upstream's interface does not say what a provider's load balancers can do. A provider refuses by itself
// what it cannot.
func loadBalancerAbilities() *providerv1.LoadBalancerAbilities {
	return &providerv1.LoadBalancerAbilities{
		Style:            providerv1.LoadBalancerStyle_LOAD_BALANCER_STYLE_ENSURE,
		Protocols:        []string{"TCP", "UDP", "SCTP"},
		MixedProtocols:   true,
		Families:         bothFamilies(),
		Affinity:         true,
		SourceRanges:     true,
		RequestedAddress: true,
		WithoutNodePorts: true,
		NeedsObjects:     true,
	}
}

func bothFamilies() []string {
	return []string{"IPv4", "IPv6"}
}

// A provider may say that it has a capability and give none.

func instancesOf(provider cloudprovider.Interface) (machines, bool) {
	if instances, has := provider.InstancesV2(); has && instances != nil {
		return currentInstances{instances}, true
	}
	instances, has := provider.Instances()
	if !has || instances == nil {
		return nil, false
	}
	zones, _ := zonesOf(provider)
	return olderInstances{scheme: provider.ProviderName(), instances: instances, zones: zones}, true
}

// zonesOf are asked only of a provider with the older Instances, as upstream does.
func zonesOf(provider cloudprovider.Interface) (cloudprovider.Zones, bool) {
	if instances, has := provider.InstancesV2(); has && instances != nil {
		return nil, false
	}
	zones, has := provider.Zones()
	if !has || zones == nil {
		return nil, false
	}
	return zones, true
}

func loadBalancersOf(provider cloudprovider.Interface) (cloudprovider.LoadBalancer, bool) {
	loadBalancers, has := provider.LoadBalancer()
	return loadBalancers, has && loadBalancers != nil
}

func routesOf(provider cloudprovider.Interface) (cloudprovider.Routes, bool) {
	routes, has := provider.Routes()
	return routes, has && routes != nil
}

// The disks of the former in-tree providers, by the provider's name.
var volumeSourcesByName = map[string]*providerv1.VolumeSource{
	"aws":       {Key: "awsElasticBlockStore", IdField: "volumeID"},
	"azure":     {Key: "azureDisk", IdField: "diskName"},
	"gce":       {Key: "gcePersistentDisk", IdField: "pdName"},
	"openstack": {Key: "cinder", IdField: "volumeID"},
	"vsphere":   {Key: "vsphereVolume", IdField: "volumePath"},
}

func (s *server) volumeSources() []*providerv1.VolumeSource {
	if s.options.VolumeSources != nil {
		return s.options.VolumeSources
	}
	if source := volumeSourcesByName[s.name]; source != nil {
		return []*providerv1.VolumeSource{source}
	}
	return nil
}
