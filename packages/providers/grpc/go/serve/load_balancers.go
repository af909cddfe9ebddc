package serve

import (
	"context"
	"errors"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	cloudprovider "k8s.io/cloud-provider"
)

func (s *server) GetLoadBalancer(ctx context.Context, request *providerv1.GetLoadBalancerRequest) (*providerv1.GetLoadBalancerResponse, error) {
	asked, err := s.askedLoadBalancer(ctx, request.GetOwner(), nil)
	if err != nil {
		return nil, err
	}
	answer := &providerv1.GetLoadBalancerResponse{}
	made, err := s.read(ctx, s.within.loadBalancers, asked.operation("GetLoadBalancer"), func(made *record) error {
		return made.call(asked.operation("GetLoadBalancer"), func() error {
			answer.Name = asked.balancers.GetLoadBalancerName(ctx, asked.cluster, asked.service)
			status, exists, err := asked.balancers.GetLoadBalancer(ctx, asked.cluster, asked.service)
			if exists && err == nil {
				answer.Status = statusOfLoadBalancer(status)
			}
			return withoutAbsence(err)
		})
	})
	if err != nil {
		return nil, err
	}
	answer.Calls = made.made()
	return answer, nil
}

// withoutAbsence: a provider whose load balancers others make answers a NotFound error, and some ImplementedElsewhere.
func withoutAbsence(err error) error {
	if errors.Is(err, cloudprovider.ImplementedElsewhere) || apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (s *server) EnsureLoadBalancer(ctx context.Context, request *providerv1.EnsureLoadBalancerRequest) (*providerv1.EnsureLoadBalancerResponse, error) {
	asked, err := s.askedLoadBalancer(ctx, request.GetSpec().GetOwner(), request.GetSpec().GetMembers())
	if err != nil {
		return nil, err
	}
	answer := &providerv1.EnsureLoadBalancerResponse{}
	made, err := s.change(ctx, s.changingLoadBalancer(asked, "EnsureLoadBalancer", request.GetFence()), func(made *record) error {
		return made.call(asked.change("EnsureLoadBalancer"), func() error {
			status, err := asked.balancers.EnsureLoadBalancer(ctx, asked.cluster, asked.service, asked.nodes)
			if errors.Is(err, cloudprovider.ImplementedElsewhere) {
				answer.Result = &providerv1.EnsureLoadBalancerResponse_Elsewhere{Elsewhere: &providerv1.LoadBalancerElsewhere{}}
				return nil
			}
			if err == nil && status == nil {
				return errors.New("the provider answered neither a status nor an error")
			}
			answer.Result = &providerv1.EnsureLoadBalancerResponse_Status{Status: statusOfLoadBalancer(status)}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	answer.Calls = made.made()
	return answer, nil
}

func (s *server) UpdateLoadBalancerMembers(ctx context.Context, request *providerv1.UpdateLoadBalancerMembersRequest) (*providerv1.UpdateLoadBalancerMembersResponse, error) {
	asked, err := s.askedLoadBalancer(ctx, request.GetSpec().GetOwner(), request.GetSpec().GetMembers())
	if err != nil {
		return nil, err
	}
	made, err := s.change(ctx, s.changingLoadBalancer(asked, "UpdateLoadBalancer", request.GetFence()), func(made *record) error {
		return made.call(asked.change("UpdateLoadBalancer"), func() error {
			return unlessElsewhere(asked.balancers.UpdateLoadBalancer(ctx, asked.cluster, asked.service, asked.nodes))
		})
	})
	if err != nil {
		return nil, err
	}
	return &providerv1.UpdateLoadBalancerMembersResponse{Calls: made.made()}, nil
}

func (s *server) DeleteLoadBalancer(ctx context.Context, request *providerv1.DeleteLoadBalancerRequest) (*providerv1.DeleteLoadBalancerResponse, error) {
	asked, err := s.askedLoadBalancer(ctx, request.GetOwner(), nil)
	if err != nil {
		return nil, err
	}
	made, err := s.change(ctx, s.changingLoadBalancer(asked, "EnsureLoadBalancerDeleted", request.GetFence()), func(made *record) error {
		return made.call(asked.change("EnsureLoadBalancerDeleted"), func() error {
			return unlessElsewhere(asked.balancers.EnsureLoadBalancerDeleted(ctx, asked.cluster, asked.service))
		})
	})
	if err != nil {
		return nil, err
	}
	return &providerv1.DeleteLoadBalancerResponse{Calls: made.made()}, nil
}

// unlessElsewhere: what another controller serves is that one's to change, as upstream has it.
func unlessElsewhere(err error) error {
	if errors.Is(err, cloudprovider.ImplementedElsewhere) {
		return nil
	}
	return err
}

// askedLoadBalancer is what a request is about, as upstream's interface takes it.
type askedLoadBalancer struct {
	balancers cloudprovider.LoadBalancer
	cluster   string
	service   *v1.Service
	nodes     []*v1.Node
}

func (s *server) askedLoadBalancer(ctx context.Context, owner *providerv1.LoadBalancerOwner, members []*providerv1.Member) (*askedLoadBalancer, error) {
	provider, err := s.began.current()
	if err != nil {
		return nil, err
	}
	balancers, has := loadBalancersOf(provider)
	if !has {
		return nil, withoutCapability("load balancers")
	}
	resolving := s.objects.resolve()
	service, err := serviceOf(resolving, owner)
	if err != nil {
		return nil, err
	}
	nodes, err := nodesOf(resolving, members)
	if err != nil {
		return nil, err
	}
	if err := resolving.unknownObjects(ctx); err != nil {
		return nil, err
	}
	// A copy, as some providers write into the Service that they are given.
	return &askedLoadBalancer{balancers, owner.GetClusterName(), service.DeepCopy(), nodes}, nil
}

func serviceOf(resolving *resolution, owner *providerv1.LoadBalancerOwner) (*v1.Service, error) {
	if owner.GetService() == nil {
		return nil, invalidRequest("the request names no Service object, which upstream's interface needs")
	}
	service, err := resolving.service(owner.GetService())
	if err != nil {
		return nil, invalidRequest("%v", err)
	}
	return service, nil
}

func nodesOf(resolving *resolution, members []*providerv1.Member) ([]*v1.Node, error) {
	nodes := make([]*v1.Node, 0, len(members))
	for _, member := range members {
		if member.GetNode() == nil {
			return nil, invalidRequest("the request names no Node object for %s, which upstream's interface needs", member.GetNodeName())
		}
		node, err := resolving.node(member.GetNode())
		if err != nil {
			return nil, invalidRequest("%v", err)
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}

func (a *askedLoadBalancer) operation(name string) operation {
	return operation{name: name, target: a.service.Namespace + "/" + a.service.Name}
}

func (a *askedLoadBalancer) change(name string) operation {
	of := a.operation(name)
	of.mutates = true
	return of
}

func (s *server) changingLoadBalancer(asked *askedLoadBalancer, name string, sent *providerv1.Fence) changing {
	return changing{operation: asked.change(name), fence: sent, key: "service " + string(asked.service.UID), slots: s.within.loadBalancers}
}

func statusOfLoadBalancer(given *v1.LoadBalancerStatus) *providerv1.LoadBalancerStatus {
	status := &providerv1.LoadBalancerStatus{}
	if given == nil {
		return status
	}
	for _, one := range given.Ingress {
		status.Ingress = append(status.Ingress, ingressOf(one))
	}
	return status
}

func ingressOf(given v1.LoadBalancerIngress) *providerv1.Ingress {
	ingress := &providerv1.Ingress{Ip: present(given.IP), Hostname: present(given.Hostname), IpMode: (*string)(given.IPMode)}
	for _, port := range given.Ports {
		ingress.Ports = append(ingress.Ports, &providerv1.IngressPort{Port: uint32(port.Port), Protocol: string(port.Protocol), Error: port.Error})
	}
	return ingress
}

func present(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
