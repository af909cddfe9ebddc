package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"strings"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/fake"
)

const name = "fake"

func init() {
	cloudprovider.RegisterCloudProvider(name, func(config io.Reader) (cloudprovider.Interface, error) {
		file, err := stateFileOf(config)
		if err != nil {
			return nil, err
		}
		return newCloud(file)
	})
}

// cloud is upstream's fake, which answers the same for every machine and Service, with a state of its own for each.
type cloud struct {
	*fake.Cloud
	file     *stateFile
	hasZones bool
	mutex    sync.Mutex
}

func newCloud(file *stateFile) (*cloud, error) {
	now, err := file.read()
	if err != nil {
		return nil, err
	}
	upstream := &fake.Cloud{
		EnableInstancesV2: !now.OlderInterface, DisableClusters: true,
		ExternalIP: net.ParseIP(now.ExternalIP), Balancers: map[string]fake.Balancer{}, RouteMap: map[string]*fake.Route{},
	}
	return &cloud{Cloud: upstream, file: file, hasZones: now.OlderInterface && !now.WithoutZones}, nil
}

func (c *cloud) InstancesV2() (cloudprovider.InstancesV2, bool) {
	return c, c.EnableInstancesV2
}

func (c *cloud) Instances() (cloudprovider.Instances, bool) {
	return c, !c.EnableInstancesV2
}

func (c *cloud) Zones() (cloudprovider.Zones, bool) {
	return c, c.hasZones
}

func (c *cloud) LoadBalancer() (cloudprovider.LoadBalancer, bool) {
	return c, true
}

func (c *cloud) Routes() (cloudprovider.Routes, bool) {
	return c, true
}

func (c *cloud) InstanceExists(_ context.Context, node *v1.Node) (bool, error) {
	_, err := c.instance("InstanceExists", node)
	if errors.Is(err, cloudprovider.InstanceNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (c *cloud) InstanceShutdown(_ context.Context, node *v1.Node) (bool, error) {
	found, err := c.instance("InstanceShutdown", node)
	return found.Shutdown, err
}

func (c *cloud) InstanceMetadata(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	found, err := c.instance("InstanceMetadata", node)
	if err != nil {
		return nil, err
	}
	return &cloudprovider.InstanceMetadata{
		ProviderID: found.ProviderID, InstanceType: found.Type, NodeAddresses: found.Addresses,
		Zone: found.Zone, Region: found.Region, AdditionalLabels: found.Labels,
	}, nil
}

func (c *cloud) instance(method string, node *v1.Node) (instance, error) {
	target := node.Spec.ProviderID
	if target == "" {
		target = node.Name
	}
	now, err := c.file.befallAt(method, target)
	if err != nil {
		return instance{}, err
	}
	return now.instanceOf(node)
}

// The older interface asks by name and by ID.

func (c *cloud) byName(method string, name types.NodeName) (instance, error) {
	node := &v1.Node{}
	node.Name = string(name)
	return c.instance(method, node)
}

func (c *cloud) byID(method, id string) (instance, error) {
	return c.instance(method, &v1.Node{Spec: v1.NodeSpec{ProviderID: id}})
}

func (c *cloud) NodeAddresses(_ context.Context, name types.NodeName) ([]v1.NodeAddress, error) {
	found, err := c.byName("NodeAddresses", name)
	return found.Addresses, err
}

func (c *cloud) NodeAddressesByProviderID(_ context.Context, id string) ([]v1.NodeAddress, error) {
	found, err := c.byID("NodeAddressesByProviderID", id)
	return found.Addresses, err
}

// InstanceID is what follows the scheme.
func (c *cloud) InstanceID(_ context.Context, node types.NodeName) (string, error) {
	found, err := c.byName("InstanceID", node)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(found.ProviderID, name+"://"), nil
}

func (c *cloud) InstanceType(_ context.Context, name types.NodeName) (string, error) {
	found, err := c.byName("InstanceType", name)
	return found.Type, err
}

func (c *cloud) InstanceTypeByProviderID(_ context.Context, id string) (string, error) {
	found, err := c.byID("InstanceTypeByProviderID", id)
	return found.Type, err
}

func (c *cloud) InstanceExistsByProviderID(_ context.Context, id string) (bool, error) {
	return c.InstanceExists(context.Background(), &v1.Node{Spec: v1.NodeSpec{ProviderID: id}})
}

func (c *cloud) InstanceShutdownByProviderID(_ context.Context, id string) (bool, error) {
	return c.InstanceShutdown(context.Background(), &v1.Node{Spec: v1.NodeSpec{ProviderID: id}})
}

func (c *cloud) GetZoneByNodeName(_ context.Context, name types.NodeName) (cloudprovider.Zone, error) {
	found, err := c.byName("GetZoneByNodeName", name)
	return cloudprovider.Zone{FailureDomain: found.Zone, Region: found.Region}, err
}

func (c *cloud) GetZoneByProviderID(_ context.Context, id string) (cloudprovider.Zone, error) {
	found, err := c.byID("GetZoneByProviderID", id)
	return cloudprovider.Zone{FailureDomain: found.Zone, Region: found.Region}, err
}

func (c *cloud) GetLoadBalancer(ctx context.Context, cluster string, service *v1.Service) (*v1.LoadBalancerStatus, bool, error) {
	if _, err := c.file.befall("GetLoadBalancer"); err != nil {
		return nil, false, err
	}
	c.mutex.Lock()
	_, has := c.Balancers[c.GetLoadBalancerName(ctx, cluster, service)]
	c.mutex.Unlock()
	if !has {
		return nil, false, nil
	}
	return &v1.LoadBalancerStatus{Ingress: []v1.LoadBalancerIngress{{IP: c.ExternalIP.String()}}}, true, nil
}

func (c *cloud) EnsureLoadBalancer(ctx context.Context, cluster string, service *v1.Service, nodes []*v1.Node) (*v1.LoadBalancerStatus, error) {
	if _, err := c.file.befall("EnsureLoadBalancer"); err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.Cloud.EnsureLoadBalancer(ctx, cluster, service, nodes)
}

func (c *cloud) UpdateLoadBalancer(ctx context.Context, cluster string, service *v1.Service, nodes []*v1.Node) error {
	if _, err := c.file.befall("UpdateLoadBalancer"); err != nil {
		return err
	}
	return c.Cloud.UpdateLoadBalancer(ctx, cluster, service, nodes)
}

func (c *cloud) EnsureLoadBalancerDeleted(ctx context.Context, cluster string, service *v1.Service) error {
	if _, err := c.file.befall("EnsureLoadBalancerDeleted"); err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.Balancers, c.GetLoadBalancerName(ctx, cluster, service))
	return c.Cloud.EnsureLoadBalancerDeleted(ctx, cluster, service)
}

// Upstream's fake answers every later call with the error of an earlier one, so that its own is taken back.

func (c *cloud) ListRoutes(ctx context.Context, cluster string) ([]*cloudprovider.Route, error) {
	if _, err := c.file.befall("ListRoutes"); err != nil {
		return nil, err
	}
	return c.Cloud.ListRoutes(ctx, cluster)
}

func (c *cloud) CreateRoute(ctx context.Context, cluster, hint string, route *cloudprovider.Route) error {
	if _, err := c.file.befall("CreateRoute"); err != nil {
		return err
	}
	defer c.forgetError()
	return c.Cloud.CreateRoute(ctx, cluster, hint, route)
}

func (c *cloud) DeleteRoute(ctx context.Context, cluster string, route *cloudprovider.Route) error {
	if _, err := c.file.befall("DeleteRoute"); err != nil {
		return err
	}
	defer c.forgetError()
	return c.Cloud.DeleteRoute(ctx, cluster, route)
}

func (c *cloud) forgetError() {
	c.Lock.Lock()
	defer c.Lock.Unlock()
	c.Err = nil
}

func (c *cloud) GetLabelsForVolume(_ context.Context, volume *v1.PersistentVolume) (map[string]string, error) {
	now, err := c.file.befall("GetLabelsForVolume")
	if err != nil {
		return nil, err
	}
	labels, has := now.Volumes[volume.Name]
	if !has {
		return nil, cloudprovider.DiskNotFound
	}
	return maps.Clone(labels), nil
}
