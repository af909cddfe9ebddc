package serve

import (
	"context"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	cloudprovider "k8s.io/cloud-provider"
)

func (s *server) ListRoutes(ctx context.Context, request *providerv1.ListRoutesRequest) (*providerv1.ListRoutesResponse, error) {
	routes, err := s.routes()
	if err != nil {
		return nil, err
	}
	var listed []*cloudprovider.Route
	made, err := s.read(ctx, s.within.routes, operation{name: "ListRoutes", target: request.GetClusterName()}, func(made *record) (err error) {
		listed, err = listRoutes(ctx, made, routes, request.GetClusterName())
		return err
	})
	if err != nil {
		return nil, err
	}
	// Upstream's interface knows no tables: what it lists is one.
	table := &providerv1.RouteTable{Id: s.name, Name: s.name, Used: uint32(len(listed))}
	return &providerv1.ListRoutesResponse{Routes: s.routesWithIDs(listed), Tables: []*providerv1.RouteTable{table}, Calls: made.made()}, nil
}

func (s *server) CreateRoute(ctx context.Context, request *providerv1.CreateRouteRequest) (*providerv1.CreateRouteResponse, error) {
	routes, err := s.routes()
	if err != nil {
		return nil, err
	}
	route := &cloudprovider.Route{
		TargetNode:          types.NodeName(request.GetTarget().GetNodeName()),
		TargetNodeAddresses: nodeAddressesOf(request.GetTargetAddresses()),
		DestinationCIDR:     request.GetDestination(),
	}
	made, err := s.change(ctx, s.changingRoute("CreateRoute", route, request.GetFence()), func(made *record) error {
		err := made.call(changeOfRoute("CreateRoute", route), func() error {
			return routes.CreateRoute(ctx, request.GetClusterName(), request.GetNameHint(), route)
		})
		if err == nil || !s.isRefused(err) {
			return err
		}
		return s.unlessListed(ctx, made, listing{routes, request.GetClusterName(), route, true}, err)
	})
	if err != nil {
		return nil, err
	}
	return &providerv1.CreateRouteResponse{Route: s.routeOf(route, idOfRoute(route)), Calls: made.made()}, nil
}

func (s *server) DeleteRoute(ctx context.Context, request *providerv1.DeleteRouteRequest) (*providerv1.DeleteRouteResponse, error) {
	routes, err := s.routes()
	if err != nil {
		return nil, err
	}
	route := listedRoute(request.GetRoute())
	made, err := s.change(ctx, s.changingRoute("DeleteRoute", route, request.GetFence()), func(made *record) error {
		err := made.call(changeOfRoute("DeleteRoute", route), func() error {
			return routes.DeleteRoute(ctx, request.GetClusterName(), route)
		})
		if err == nil || !s.isRefused(err) {
			return err
		}
		return s.unlessListed(ctx, made, listing{routes, request.GetClusterName(), route, false}, err)
	})
	if err != nil {
		return nil, err
	}
	return &providerv1.DeleteRouteResponse{Calls: made.made()}, nil
}

func (s *server) routes() (cloudprovider.Routes, error) {
	provider, err := s.began.current()
	if err != nil {
		return nil, err
	}
	routes, has := routesOf(provider)
	if !has {
		return nil, withoutCapability("routes")
	}
	return routes, nil
}

// isRefused: the provider may mean by this error that there is nothing to do. One by which the cloud was not reached says nothing.
func (s *server) isRefused(err error) bool {
	code := s.classify.failure(err, operation{}).GetCode()
	return !is(code, throttled, unauthorized, unavailable, timedOut)
}

// listing is how a route should be after the change.
type listing struct {
	routes  cloudprovider.Routes
	cluster string
	route   *cloudprovider.Route
	exists  bool
}

// unlessListed takes an error back where the routes are already as they should be: a repeated request succeeds.
func (s *server) unlessListed(ctx context.Context, made *record, should listing, problem error) error {
	listed, err := listRoutes(ctx, made, should.routes, should.cluster)
	if err != nil {
		return problem
	}
	for _, route := range listed {
		if route.TargetNode == should.route.TargetNode && route.DestinationCIDR == should.route.DestinationCIDR && !route.Blackhole {
			if should.exists {
				return nil
			}
			return problem
		}
	}
	if should.exists {
		return problem
	}
	return nil
}

func listRoutes(ctx context.Context, made *record, routes cloudprovider.Routes, cluster string) ([]*cloudprovider.Route, error) {
	return recorded(made, "ListRoutes", cluster, func() ([]*cloudprovider.Route, error) {
		return routes.ListRoutes(ctx, cluster)
	})
}

func changeOfRoute(name string, route *cloudprovider.Route) operation {
	return operation{name: name, target: route.DestinationCIDR + " to " + string(route.TargetNode), mutates: true}
}

func (s *server) changingRoute(name string, route *cloudprovider.Route, sent *providerv1.Fence) changing {
	return changing{operation: changeOfRoute(name, route), fence: sent, key: "route " + route.DestinationCIDR, slots: s.within.routes}
}

func (s *server) routesWithIDs(listed []*cloudprovider.Route) []*providerv1.Route {
	seen := map[string]bool{}
	routes := make([]*providerv1.Route, 0, len(listed))
	for _, route := range listed {
		id := idOfRoute(route)
		if seen[id] {
			id += " " + route.Name
		}
		seen[id] = true
		routes = append(routes, s.routeOf(route, id))
	}
	return routes
}

// idOfRoute is known before the cloud has named the route, so that the answer to its creation has the ID of the next listing.
func idOfRoute(route *cloudprovider.Route) string {
	return route.DestinationCIDR + " " + string(route.TargetNode)
}

func (s *server) routeOf(route *cloudprovider.Route, id string) *providerv1.Route {
	return &providerv1.Route{
		Id: id, Table: s.name, Name: route.Name, Destination: route.DestinationCIDR,
		Target:            &providerv1.RouteTarget{NodeName: present(string(route.TargetNode))},
		ComparesAddresses: route.EnableNodeAddresses,
		TargetAddresses:   addressesOf(route.TargetNodeAddresses),
		Blackhole:         route.Blackhole,
	}
}

// listedRoute is a route as ListRoutes gave it, which upstream's interface takes for a deletion.
func listedRoute(given *providerv1.Route) *cloudprovider.Route {
	return &cloudprovider.Route{
		Name:                given.GetName(),
		TargetNode:          types.NodeName(given.GetTarget().GetNodeName()),
		EnableNodeAddresses: given.GetComparesAddresses(),
		TargetNodeAddresses: nodeAddressesOf(given.GetTargetAddresses()),
		DestinationCIDR:     given.GetDestination(),
		Blackhole:           given.GetBlackhole(),
	}
}

func nodeAddressesOf(given []*providerv1.NodeAddress) []v1.NodeAddress {
	var addresses []v1.NodeAddress
	for _, one := range given {
		addresses = append(addresses, v1.NodeAddress{Type: v1.NodeAddressType(one.GetType()), Address: one.GetAddress()})
	}
	return addresses
}
