package main

import (
	"encoding/json"
	"net/http"

	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/filter"
	"github.com/GoogleCloudPlatform/k8s-cloud-provider/pkg/cloud/meta"
	"google.golang.org/api/compute/v1"
	"k8s.io/cloud-provider-gcp/providers/gce"
)

// admin changes the cloud as a user does, and shows it:
//
//	PUT /instances/NAME?address=10.0.0.1, DELETE /instances/NAME
//	GET /state    {"routes", "forwardingRules", "targetPools", "firewalls"}, each a list of the API's own objects
func admin(provider *gce.Cloud) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("PUT /instances/{name}", func(answer http.ResponseWriter, request *http.Request) {
		name := request.PathValue("name")
		finish(answer, provider.InsertInstance(cluster.ProjectID, cluster.ZoneName, &compute.Instance{
			Name:        name,
			Zone:        cluster.ZoneName,
			MachineType: "zones/" + cluster.ZoneName + "/machineTypes/n1-standard-1",
			// Firewall rules reach the machines by a tag that their names begin with.
			Tags:              &compute.Tags{Items: []string{name}},
			NetworkInterfaces: []*compute.NetworkInterface{{NetworkIP: request.URL.Query().Get("address")}},
		}))
	})
	routes.HandleFunc("DELETE /instances/{name}", func(answer http.ResponseWriter, request *http.Request) {
		finish(answer, provider.DeleteInstance(cluster.ProjectID, cluster.ZoneName, request.PathValue("name")))
	})
	routes.HandleFunc("GET /state", func(answer http.ResponseWriter, request *http.Request) {
		found, err := stateOf(provider, request)
		if err != nil {
			finish(answer, err)
			return
		}
		answer.Header().Set("content-type", "application/json")
		_ = json.NewEncoder(answer).Encode(found)
	})
	return routes
}

func finish(answer http.ResponseWriter, err error) {
	if err != nil {
		http.Error(answer, err.Error(), http.StatusInternalServerError)
		return
	}
	answer.WriteHeader(http.StatusNoContent)
}

type state struct {
	Routes          []*compute.Route          `json:"routes"`
	ForwardingRules []*compute.ForwardingRule `json:"forwardingRules"`
	TargetPools     []*compute.TargetPool     `json:"targetPools"`
	Firewalls       []*compute.Firewall       `json:"firewalls"`
}

func stateOf(provider *gce.Cloud, request *http.Request) (state, error) {
	api, ctx := apiOf(provider), request.Context()
	var found state
	var err error
	if found.Routes, err = api.Routes().List(ctx, filter.None); err != nil {
		return found, err
	}
	if found.ForwardingRules, err = api.ForwardingRules().List(ctx, cluster.Region, filter.None); err != nil {
		return found, err
	}
	for _, rule := range found.ForwardingRules {
		pool, err := api.TargetPools().Get(ctx, meta.RegionalKey(rule.Name, cluster.Region))
		if err != nil {
			continue
		}
		found.TargetPools = append(found.TargetPools, pool)
	}
	found.Firewalls, err = api.Firewalls().List(ctx, filter.None)
	return found, err
}
